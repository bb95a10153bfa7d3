/** Least frequently used goes first: the number of accesses. MemoryOS's package evicts segments by it. */
import { z } from "zod";
import { defineVitality } from "./vitality.ts";

export const lfu = defineVitality({
  name: "lfu",
  summary: "The number of looks: what was looked at least is the least alive.",
  options: z.strictObject({}),
  score: (of) => of.accessCount,
});
