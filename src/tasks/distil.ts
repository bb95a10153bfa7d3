/**
 * What do a new memory and those near it say together? TiM merges thoughts about the same thing into one; a preset's
 * distillation replaces several memories by the merged one. Nothing is replaced without something in its place.
 */
import { z } from "zod";
import { printNumbered } from "./dialogue.ts";
import { nullableTextForm, numbersForm, unknownNumbers } from "./reply-forms.ts";
import { type ConflictKind, judgeConflict } from "./rules/conflict.ts";
import { defineTask } from "./task.ts";

export const distil = defineTask({
  name: "distil",
  summary:
    "The one statement that a new memory makes together with those near it that say the same, and which of them it replaces.",
  fallback:
    "The new memory replaces those that it repeats, refines, updates or contradicts by the conflict rules.",
  input: z.object({ memory: z.string(), existing: z.array(z.string()) }),
  reply: z.object({
    /** What is kept in place of the new memory and those replaced; null if nothing is merged. */
    merged: nullableTextForm,
    /** Numbers of the existing memories that it replaces. */
    replaced: numbersForm,
  }),
  prompt: "distil",
  placeholders: ["memory", "existing"],
  fill: (input) => ({ memory: input.memory, existing: printNumbered(input.existing) }),
  about: (input) => input.memory,
  obvious: (input) => (input.existing.length === 0 ? { merged: null, replaced: [] } : undefined),
  local: ({ memory, existing }) => {
    const replaced = existing.flatMap((old, number) => (MERGED.has(kindOf(memory, old)) ? [number] : []));
    const text = memory.trim();
    if (replaced.length === 0 || text === "") return { merged: null, replaced: [] };
    // Of two that say the same, the one that says more.
    const same = replaced
      .map((number) => existing[number]?.trim() ?? "")
      .filter((old) => kindOf(text, old) === "duplicate");
    return { merged: same.reduce((best, old) => (old.length > best.length ? old : best), text), replaced };
  },
  problems: (reply, { existing }) => {
    const wrong = unknownNumbers(reply.replaced, existing.length, "memory");
    const isBare = reply.merged === null && reply.replaced.length > 0;
    return isBare
      ? [...wrong, 'Memories can only be replaced by something: "merged" must say what they say.']
      : wrong;
  },
  settle: (reply) => (reply.replaced.length === 0 ? { merged: null, replaced: [] } : reply),
  spoken: (reply) => (reply.merged === null ? [] : [reply.merged]),
});

const MERGED: ReadonlySet<ConflictKind> = new Set<ConflictKind>([
  "duplicate",
  "refinement",
  "update",
  "contradiction",
]);

function kindOf(fresh: string, old: string): ConflictKind {
  return judgeConflict({ text: fresh }, { text: old }).kind;
}
