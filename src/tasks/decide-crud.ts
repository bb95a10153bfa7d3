/**
 * What becomes of each new fact beside the memories near it? Mem0's four events. Memories are shown under small whole
 * numbers, so a model cannot invent an id; every fact gets exactly one decision, so none is lost; and a contradicted memory
 * gives way to the new fact instead of taking it along (mem0#4536: both were gone).
 */
import { z } from "zod";
import { printNumbered } from "./dialogue.ts";
import { numberOrNoneForm, textForm, unknownNumbers } from "./reply-forms.ts";
import { type ConflictVerdict, CRUD_EVENTS, CRUD_OF_KIND, judgeConflict } from "./rules/conflict.ts";
import { defineTask } from "./task.ts";

const inputSchema = z.object({
  facts: z.array(z.string()).min(1),
  /** The memories that may be affected, nearest first. */
  memories: z.array(z.string()),
});
type Input = z.infer<typeof inputSchema>;

const decisionSchema = z.object({
  /** Which fact this is about. */
  fact: z.preprocess((value) => (typeof value === "string" ? Number(value) : value), z.number().int().min(0)),
  event: z.preprocess(
    (value) => (typeof value === "string" ? (EVENT_NAMES.get(value.trim().toUpperCase()) ?? value) : value),
    z.enum(CRUD_EVENTS),
  ),
  /** The memory that is updated, contradicted or repeated; null for ADD. */
  id: numberOrNoneForm,
  /** What is to be remembered: for UPDATE the old and the new in one, else the fact itself. */
  text: textForm,
});
type Decision = z.infer<typeof decisionSchema>;

const EVENT_NAMES: ReadonlyMap<string, string> = new Map([
  ...CRUD_EVENTS.map((event): [string, string] => [event, event]),
  ["NONE", "NOOP"],
  ["NO-OP", "NOOP"],
  ["KEEP", "NOOP"],
]);

export const decideCrud = defineTask({
  name: "decide_crud",
  summary:
    "For each new fact: ADD it, UPDATE a memory with it, DELETE a memory it contradicts (the fact stays), or NOOP if it is known.",
  fallback:
    "The conflict rules on each fact and memory: none is ADD, update UPDATE, contradiction DELETE, duplicate NOOP.",
  input: inputSchema,
  reply: z.object({ decisions: z.array(decisionSchema) }),
  prompt: "decide_crud",
  placeholders: ["facts", "memories"],
  fill: (input) => ({ facts: printNumbered(input.facts), memories: printNumbered(input.memories) }),
  about: (input) => input.facts.join("\n"),
  obvious: (input) => (input.memories.length === 0 ? { decisions: input.facts.map(add) } : undefined),
  local: (input) => ({ decisions: input.facts.map((text, fact) => decide(text, fact, input.memories)) }),
  problems: ({ decisions }, input) => [...missing(decisions, input), ...misplaced(decisions, input)],
  settle: ({ decisions }) => ({ decisions: [...decisions].sort((a, b) => a.fact - b.fact) }),
  spoken: ({ decisions }) => decisions.map(({ text }) => text),
});

function add(text: string, fact: number): Decision {
  return { fact, event: "ADD", id: null, text: text.trim() || "?" };
}

function decide(text: string, fact: number, memories: readonly string[]): Decision {
  let best: { readonly verdict: ConflictVerdict; readonly id: number } | undefined;
  for (const [id, memory] of memories.entries()) {
    const verdict = judgeConflict({ text }, { text: memory });
    if (verdict.kind !== "none" && (best === undefined || verdict.confidence > best.verdict.confidence)) {
      best = { verdict, id };
    }
  }
  if (best === undefined) return add(text, fact);
  // Without a model nothing is fused: the newer wording says it.
  return { ...add(text, fact), event: CRUD_OF_KIND[best.verdict.kind], id: best.id };
}

function missing(decisions: readonly Decision[], { facts }: Input): string[] {
  const counts = facts.map((_, fact) => decisions.filter((one) => one.fact === fact).length);
  const wrong = counts.flatMap((count, fact) => (count === 1 ? [] : [fact]));
  const unknown = unknownNumbers(
    decisions.map(({ fact }) => fact),
    facts.length,
    "fact",
  );
  return wrong.length === 0
    ? unknown
    : [`Each fact needs exactly one decision; look at fact ${wrong.join(", ")}.`, ...unknown];
}

function misplaced(decisions: readonly Decision[], { memories }: Input): string[] {
  const named = decisions.flatMap(({ id }) => (id === null ? [] : [id]));
  const without = decisions.filter(({ event, id }) => event !== "ADD" && id === null);
  return [
    ...unknownNumbers(named, memories.length, "memory"),
    ...without.map(({ fact, event }) => `${event} of fact ${fact} must name the memory's number in "id".`),
  ];
}
