/** How is the store asked? One file, one line. */
import type { ActionDefinition } from "../../pipeline/action.ts";
import { defaultRetrieval } from "./default.ts";

export const MEMORY_RETRIEVAL: readonly ActionDefinition<"memory_retrieval">[] = [defaultRetrieval];
