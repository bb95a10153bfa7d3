/** What happens after an insert? One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { closeSession } from "./close-session.ts";
import { conflictCheck } from "./conflict-check.ts";
import { conflictSignals } from "./conflict-signals.ts";
import { consolidate } from "./consolidate.ts";
import { continueSegment } from "./continue-segment.ts";
import { distillation } from "./distillation.ts";
import { forgetting } from "./forgetting.ts";
import { linkEvolution } from "./link-evolution.ts";
import { logInserted } from "./log.ts";
import { mem0Crud } from "./mem0-crud.ts";
import { migrate } from "./migrate.ts";
import { noPostInsert } from "./none.ts";
import { reflection } from "./reflection.ts";
import { routeLinks } from "./route-links.ts";
import { countInserted } from "./stats.ts";
import { statusBased } from "./status-based.ts";
import { summarize } from "./summarize.ts";

export const POST_INSERT: readonly ActionDefinition<"post_insert">[] = [
  noPostInsert,
  logInserted,
  countInserted,
  distillation,
  mem0Crud,
  statusBased,
  reflection,
  linkEvolution,
  forgetting,
  summarize,
  migrate,
  conflictCheck,
  conflictSignals,
  routeLinks,
  consolidate,
  continueSegment,
  closeSession,
];
