/** What becomes of what was found? The actions of the stage post_retrieval. One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { augment } from "./augment.ts";
import { compress } from "./compress.ts";
import { factFilter } from "./fact-filter.ts";
import { filter } from "./filter.ts";
import { format } from "./format.ts";
import { merge } from "./merge.ts";
import { noPostRetrieval } from "./none.ts";
import { pageSearch } from "./page-search.ts";
import { reflect } from "./reflect.ts";
import { rerank } from "./rerank.ts";
import { scmThreeWay } from "./scm-three-way.ts";

export const POST_RETRIEVAL: readonly ActionDefinition<"post_retrieval">[] = [
  noPostRetrieval,
  rerank,
  filter,
  merge,
  augment,
  compress,
  format,
  scmThreeWay,
  reflect,
  factFilter,
  pageSearch,
];
