/**
 * What to put into a prompt, in two parts: a stable one, byte for byte the same through a session, so that a prompt cache
 * keeps what stands before it and in it; and a volatile one, recalled for this question, to be put last. Both are quoted data
 * between marks, never instructions, and what stands between the marks is never taken up as something said.
 */
import { z } from "zod";
import { whatWasSaid } from "../actions/memory-retrieval/blend/said.ts";
import { printMoment } from "../actions/post-retrieval/print-moment.ts";
import { parseFilter } from "../base/filter.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import { oneLine } from "../tasks/dialogue.ts";
import { asksTheSame } from "../text/asks-the-same.ts";
import { markRecalled } from "../text/recalled-marks.ts";
import { estimateTokens } from "../text/token-count.ts";
import { type Frozen, frozenPart } from "./frozen-part.ts";
import { pastOf } from "./past/past.ts";
import { quotedBlock } from "./quoted-block.ts";
import { type RecallOptions, recall } from "./recall.ts";
import type { Running } from "./running.ts";
import { stableLines } from "./stable-part.ts";

export interface ContextOptions extends RecallOptions {
  /** The stable part is made anew when the session changes. @default "", which ends with an hour of silence */
  readonly session?: string | undefined;
  /** Most tokens of the stable part, its marks among them; `budget` is for the volatile one. @default 400 */
  readonly stableBudget?: number | undefined;
}

export interface Context {
  /** Who is served and what must never be forgotten; "" if nothing is known. */
  readonly stable: string;
  /** Recalled for this question; "" if nothing was found. */
  readonly volatile: string;
  /** Both, in the order to put them. */
  readonly text: string;
  readonly tokens: { readonly stable: number; readonly volatile: number };
  /** Why it is there. */
  readonly recalled: RetrieveResult;
}

const ownSchema = z.strictObject({
  session: z.string().max(256).default(""),
  stableBudget: z.int().min(0).default(400),
});

export async function context(
  running: Running,
  scope: Scope,
  question: string,
  options: ContextOptions = {},
): Promise<Context> {
  const { session: given, stableBudget: room, ...asked } = options;
  const { session, stableBudget } = parseInput(
    ownSchema,
    { session: given, stableBudget: room },
    "options of context",
  );
  const recalled = await recall(running, scope, question, asked);
  const { at, knownAt } = asked;
  const filter = asked.filter === undefined ? undefined : parseFilter(asked.filter);
  const key = JSON.stringify([scope, session, stableBudget, filter ?? null, at ?? null, knownAt ?? null]);
  const frozen = await frozenPart(running, scope, { key, isNamed: session !== "" }, async () => {
    const isPast = at !== undefined || knownAt !== undefined;
    const past = isPast ? await pastOf(running, scope, { at, knownAt }) : undefined;
    const source = past === undefined ? running : { storage: past.storage, design: past };
    const lines = await stableLines(source, scope, filter);
    const print = (line: string): string => `- ${line}`;
    const { text, kept } = quotedBlock(
      lines.map((line) => line.text),
      { budget: stableBudget, print },
    );
    return { text, ids: kept.flatMap((at) => lines[at]?.id ?? []) };
  });
  const volatile = volatilePart(recalled, frozen, asked.budget);
  const stable = frozen.text;
  return {
    stable,
    volatile,
    text: [stable, volatile].filter((part) => part !== "").join("\n\n"),
    tokens: { stable: estimateTokens(stable), volatile: estimateTokens(volatile) },
    recalled,
  };
}

/** As the design writes it, where it does and there is room for it; else a line for each hit that the prompt has not yet. */
function volatilePart(
  { context: written, hits, question, sections }: RetrieveResult,
  { ids }: Frozen,
  budget = Number.POSITIVE_INFINITY,
): string {
  const hasMore = Object.values(sections).some((section) => Array.isArray(section) && section.length > 0);
  // A bare list of the hits is no form of the design's own: then each line has its date here.
  const bare = [...new Set(hits.map(({ text }) => oneLine(text)))].join("\n");
  if (written !== null && !["", bare].includes(written.trim()) && (hits.length > 0 || hasMore)) {
    const block = markRecalled(written.trim());
    if (estimateTokens(block) <= budget) return block;
  }
  const shown = new Set<string>(ids);
  const moment = { style: "day", zone: question.zone, now: question.at } as const;
  const lines = hits
    .filter(({ id }) => !shown.has(id))
    // Asked before, it is near to itself as nothing else is, and tells the reader nothing.
    .filter((hit) => !asksTheSame(whatWasSaid(hit), question.text))
    .map(({ text, happenedAt }) => `[${printMoment(happenedAt, text, moment)}] ${oneLine(text)}`);
  return quotedBlock(lines, { budget, print: (line, place) => `${place + 1}. ${line}` }).text;
}
