/** How is the store asked? One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { blend } from "./blend.ts";
import { candidates } from "./candidates.ts";
import { defaultRetrieval } from "./default.ts";
import { emotionalRetrieval } from "./emotional.ts";
import { hybridScore } from "./hybrid-score.ts";
import { recognition } from "./recognition.ts";
import { reflective } from "./reflective.ts";

export const MEMORY_RETRIEVAL: readonly ActionDefinition<"memory_retrieval">[] = [
  defaultRetrieval,
  emotionalRetrieval,
  candidates,
  reflective,
  recognition,
  hybridScore,
  blend,
];
