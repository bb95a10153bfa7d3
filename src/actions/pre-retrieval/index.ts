/** The actions of the stage pre_retrieval. One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { decompose } from "./decompose.ts";
import { embedding } from "./embedding.ts";
import { multiEmbed } from "./multi-embed.ts";
import { noPreRetrieval } from "./none.ts";
import { optimize } from "./optimize.ts";
import { plan } from "./plan.ts";
import { route } from "./route.ts";
import { scmGate } from "./scm-gate.ts";
import { validateQuery } from "./validate.ts";

export const PRE_RETRIEVAL: readonly ActionDefinition<"pre_retrieval">[] = [
  noPreRetrieval,
  embedding,
  optimize,
  multiEmbed,
  decompose,
  route,
  validateQuery,
  scmGate,
  plan,
];
