/** How memories are shown to people: a line each, and under it, where asked for, why it was found and what was said. */
import type { EntryOutput, HitOutput, TurnOutput } from "../operations/schemas/entry.ts";
import type { FoundOutput } from "../operations/schemas/question.ts";
import type { Terminal } from "./terminal.ts";

const MOST_PARTS = 8;
const MOST_SOURCES = 3;
const INDENT = "        ";

export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

export function minuteOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 16).replace("T", " ");
}

/** `sources`: what was said, shown with the parts of the score; undefined: the line alone. */
export function sayHit(
  hit: HitOutput,
  sources: readonly TurnOutput[] | undefined,
  { say, paint }: Terminal,
): void {
  say(
    `${paint("green", hit.score.toPrecision(3))}  ${hit.text}  ${paint("dim", `(${dayOf(hit.happenedAt)})`)}`,
  );
  if (sources === undefined) return;
  const parts = partsOf(hit);
  if (parts !== "") say(paint("dim", `${INDENT}${parts}`));
  for (const turn of sources.slice(0, MOST_SOURCES)) say(paint("dim", `${INDENT}← ${turnLine(turn)}`));
  if (sources.length > MOST_SOURCES) say(paint("dim", `${INDENT}← +${sources.length - MOST_SOURCES}`));
}

/** The parts that count most in the score, for it or against it. */
export function partsOf({ scoreParts }: Pick<HitOutput, "scoreParts">): string {
  return Object.entries(scoreParts)
    .filter(([, value]) => value !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, MOST_PARTS)
    .map(([name, value]) => `${name} ${value.toPrecision(3)}`)
    .join(", ");
}

export function turnLine({ happenedAt, speaker, role, text }: TurnOutput): string {
  return `${dayOf(happenedAt)} ${speaker === "" ? role : speaker}: ${text}`;
}

export function sayStages(stages: FoundOutput["stages"], { say, paint }: Terminal): void {
  say();
  for (const { stage, action, ms, given, result, notes } of stages) {
    const told = Object.keys(notes).length === 0 ? "" : ` ${JSON.stringify(notes)}`;
    say(paint("dim", `${stage} ${action}: ${given} → ${result}, ${ms.toFixed(1)} ms${told}`));
  }
}

/** Where the design says how sure it is. */
export function sayConfidence(
  { confidence, isDoubtful }: Pick<FoundOutput, "confidence" | "isDoubtful">,
  { say, paint, text }: Terminal,
): void {
  if (confidence === null) return;
  const sure = text({ en: "how sure that the answer is there", zh: "记忆中有答案的把握" });
  const doubt = text({ en: " (too little to answer without a model)", zh: "（没有模型时不足以作答）" });
  say(paint("dim", `${sure}: ${(100 * confidence).toFixed(0)} %${isDoubtful ? doubt : ""}`));
}

export function entryLine(entry: EntryOutput, { paint }: Terminal): string {
  const { id, kind, content, happenedAt, tags, supersededBy } = entry;
  const marks = [kind, dayOf(happenedAt), ...tags.map((tag) => `#${tag}`)].join(" ");
  const old = supersededBy === null ? "" : ` → ${supersededBy}`;
  return `${paint("cyan", id)}  ${content.replaceAll("\n", " / ")}  ${paint("dim", `(${marks})${old}`)}`;
}
