/** How is a draft stored? Each draft names one of these as its insert method. One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { chunkInsert } from "./chunk-insert.ts";
import { defaultInsert } from "./default.ts";
import { emotionInsert } from "./emotion-insert.ts";
import { factInsert } from "./fact-insert.ts";
import { multiIndexInsert } from "./multi-index-insert.ts";
import { priorityInsert } from "./priority-insert.ts";
import { scmInsert } from "./scm-insert.ts";
import { segmentInsert } from "./segment-insert.ts";
import { summaryInsert } from "./summary-insert.ts";
import { tripleInsert } from "./triple-insert.ts";

export const MEMORY_INSERT: readonly ActionDefinition<"memory_insert">[] = [
  defaultInsert,
  tripleInsert,
  chunkInsert,
  summaryInsert,
  priorityInsert,
  multiIndexInsert,
  segmentInsert,
  factInsert,
  emotionInsert,
  scmInsert,
];
