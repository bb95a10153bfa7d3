/** The pluggable steps of all six stages, by stage and name. */
import type { ActionDefinition } from "../pipeline/action.ts";
import type { Stage } from "../pipeline/stage.ts";
import { MEMORY_INSERT } from "./memory-insert/index.ts";
import { MEMORY_RETRIEVAL } from "./memory-retrieval/index.ts";
import { POST_INSERT } from "./post-insert/index.ts";
import { POST_RETRIEVAL } from "./post-retrieval/index.ts";
import { PRE_INSERT } from "./pre-insert/index.ts";
import { PRE_RETRIEVAL } from "./pre-retrieval/index.ts";

export const ACTIONS: { readonly [S in Stage]: readonly ActionDefinition<S>[] } = {
  pre_insert: PRE_INSERT,
  memory_insert: MEMORY_INSERT,
  post_insert: POST_INSERT,
  pre_retrieval: PRE_RETRIEVAL,
  memory_retrieval: MEMORY_RETRIEVAL,
  post_retrieval: POST_RETRIEVAL,
};
