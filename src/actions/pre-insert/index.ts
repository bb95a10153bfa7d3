/** The actions of the stage pre_insert. One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { blendEmbed } from "./blend-embed.ts";
import { carry } from "./carry.ts";
import { compressWindow } from "./compress-window.ts";
import { extract } from "./extract.ts";
import { judgeMemories } from "./judge-memories.ts";
import { multiEmbed } from "./multi-embed.ts";
import { noPreInsert } from "./none.ts";
import { scmEmbed } from "./scm-embed.ts";
import { score } from "./score.ts";
import { transform } from "./transform.ts";
import { triEmbed } from "./tri-embed.ts";
import { validate } from "./validate.ts";

export const PRE_INSERT: readonly ActionDefinition<"pre_insert">[] = [
  noPreInsert,
  triEmbed,
  transform,
  extract,
  score,
  multiEmbed,
  blendEmbed,
  validate,
  scmEmbed,
  compressWindow,
  judgeMemories,
  carry,
];
