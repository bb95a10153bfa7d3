/** Least recently used goes first: minus the hours since the last access, so a threshold of −24 means "a day unused". */
import { z } from "zod";
import { hoursBetween } from "./elapsed.ts";
import { defineVitality } from "./vitality.ts";

export const lru = defineVitality({
  name: "lru",
  summary: "Minus the hours since the last look: what was not looked at for longest is the least alive.",
  options: z.strictObject({}),
  score: (of, now) => Math.min(0, hoursBetween(now, of.lastAccessAt)),
});
