/**
 * LoCoMo through every design, with no model: is what a question needs among what a design recalls? Each conversation is
 * lived through, session by session on its own clock, by the design's own windows; then every question is asked at its end.
 *
 * Evidence is turns; a hit stands for the turns it comes from, followed through what it was derived from. Designs that give
 * long units find more with as many hits, so three things stand beside the recall by hits: how many turns ten hits come
 * from, how many tokens they are, and the recall within the first ten turns, whatever the number of hits.
 *
 * Questions do not know of each other: looks are not counted while they are asked. Questions without evidence are left out,
 * and so is category 5, which asks for what was never said.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { manualClock } from "../../src/base/clock.ts";
import { parseScope } from "../../src/base/scope.ts";
import type { NewTurn } from "../../src/base/turn.ts";
import { readLocomo } from "../../src/cli/conversation/locomo.ts";
import type { EmbedderSet } from "../../src/models/local/embedder-set.ts";
import { appendTurns } from "../../src/pipeline/journal.ts";
import { loadPreset } from "../../src/preset/load.ts";
import { type OpenPreset, openPreset } from "../../src/preset/open.ts";
import { derive } from "../../src/runtime/derive.ts";
import { turnSources } from "../../src/runtime/turn-sources.ts";
import { openInMemory } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { estimateTokens } from "../../src/text/token-count.ts";

const SCOPE = parseScope("bench");
const CATEGORIES = [1, 2, 3, 4] as const;
export const TOP_K = 20;
const TEN = 10;

const schema = z.array(
  z.object({
    qa: z.array(
      z.object({ question: z.string(), evidence: z.array(z.string()).default([]), category: z.number() }),
    ),
  }),
);

export interface LocomoQuestion {
  readonly text: string;
  readonly category: number;
  /** Turns by the names the data set gives them, as "3:14". */
  readonly evidence: ReadonlySet<string>;
}

export interface LocomoConversation {
  readonly turns: readonly NewTurn[];
  readonly questions: readonly LocomoQuestion[];
}

export function loadConversations(dataFolder: string): LocomoConversation[] {
  const file = join(dataFolder, "locomo", "locomo_dev.json");
  const data: unknown = JSON.parse(readFileSync(file, "utf8"));
  const questions = schema.parse(data);
  return readLocomo(data, file).map(({ turns }, place) => {
    const named = new Set(turns.map(nameOf));
    const asked = (questions[place]?.qa ?? []).map(({ question, evidence, category }) => ({
      text: question,
      category,
      evidence: new Set(evidenceIds(evidence.join(" ")).filter((id) => named.has(id))),
    }));
    return { turns, questions: asked.filter(({ category, evidence }) => category <= 4 && evidence.size > 0) };
  });
}

export interface LocomoScores {
  readonly preset: string;
  /** Share of a question's evidence that the first k hits come from, mean over the questions of categories 1–4, per cent. */
  readonly at: Readonly<Record<5 | 10 | 20, number>>;
  /** The same at 10, of category 1, 2, 3 and 4. */
  readonly byCategory: readonly number[];
  /** Evidence among the first ten distinct turns that the hits come from, in their order, per cent. */
  readonly inTenTurns: number;
  /** Evidence among everything that was handed over. */
  readonly anywhere: number;
  /** Distinct turns that the first ten hits come from, and tokens of their texts; means. */
  readonly turnsOfTen: number;
  readonly tokensOfTen: number;
  /** Tokens of everything that was handed over; mean. */
  readonly tokens: number;
  /** Memories in recall at the end, of all conversations. */
  readonly memories: number;
  readonly msPerTurn: number;
  readonly msPerQuestion: number;
}

interface Judged {
  readonly category: number;
  readonly at: Readonly<Record<5 | 10 | 20, number>>;
  readonly inTenTurns: number;
  readonly anywhere: number;
  readonly turnsOfTen: number;
  readonly tokensOfTen: number;
  readonly tokens: number;
}

/** The scores of one preset. */
export async function scorePreset(
  preset: string,
  conversations: readonly LocomoConversation[],
  embedder: EmbedderSet,
): Promise<LocomoScores> {
  const judged: Judged[] = [];
  let [memories, turns, writing, reading] = [0, 0, 0, 0];
  for (const conversation of conversations) {
    const world = await live(preset, conversation, embedder);
    memories += world.memories;
    turns += conversation.turns.length;
    writing += world.ms;
    const start = performance.now();
    for (const question of conversation.questions) judged.push(await ask(world, question));
    reading += performance.now() - start;
    await world.close();
  }
  const mean = (read: (one: Judged) => number, of: readonly Judged[] = judged): number =>
    of.reduce((sum, one) => sum + read(one), 0) / of.length;
  const percent = (read: (one: Judged) => number, of?: readonly Judged[]): number => 100 * mean(read, of);
  return {
    preset,
    at: { 5: percent(({ at }) => at[5]), 10: percent(({ at }) => at[10]), 20: percent(({ at }) => at[20]) },
    byCategory: CATEGORIES.map((category) =>
      percent(
        ({ at }) => at[10],
        judged.filter((one) => one.category === category),
      ),
    ),
    inTenTurns: percent(({ inTenTurns }) => inTenTurns),
    anywhere: percent(({ anywhere }) => anywhere),
    turnsOfTen: mean(({ turnsOfTen }) => turnsOfTen),
    tokensOfTen: mean(({ tokensOfTen }) => tokensOfTen),
    tokens: mean(({ tokens }) => tokens),
    memories,
    msPerTurn: writing / turns,
    msPerQuestion: reading / judged.length,
  };
}

interface Lived {
  readonly memory: OpenPreset;
  readonly storage: Storage;
  readonly end: number;
  /** Whether the design has a number of its own: the whole conversation, not the best of it. */
  readonly isWhole: boolean;
  readonly memories: number;
  readonly ms: number;
  close(): Promise<void>;
}

/** The conversation through a design, one session after another. */
async function live(name: string, { turns }: LocomoConversation, embedder: EmbedderSet): Promise<Lived> {
  const clock = manualClock(turns[0]?.happenedAt ?? 0);
  const opened = await openInMemory({ clock });
  const looks = { areCounted: true };
  const storage = countingLooks(opened, looks);
  const preset = await loadPreset(name);
  const memory = await openPreset(preset, { storage, embedder, clock });
  const start = performance.now();
  for (const [, session] of Map.groupBy(turns, (turn) => turn.session)) {
    clock.set(Math.max(clock.now() + 1000, session[0]?.happenedAt ?? 0));
    await appendTurns(storage, SCOPE, session, clock);
    await derive(memory, storage, SCOPE);
  }
  clock.advance(60_000);
  await derive(memory, storage, SCOPE, { finish: true });
  const ms = performance.now() - start;
  looks.areCounted = false;
  clock.advance(60_000);
  const own = await storage.vitals(SCOPE, { collection: memory.service.collection, limit: 100_000 });
  return {
    ...{ memory, storage, ms },
    end: clock.now(),
    isWhole: name === "full_context",
    memories: own.length,
    async close() {
      await memory.close();
      await storage.close();
    },
  };
}

async function ask(
  { memory, storage, end, isWhole }: Lived,
  { text, category, evidence }: LocomoQuestion,
): Promise<Judged> {
  const question = { text, at: end, topK: isWhole ? undefined : TOP_K };
  const { hits } = await memory.retrieve(SCOPE, question);
  const sources = await turnSources(storage, SCOPE, hits);
  const named = sources.map((turns) => turns.map(nameOf));
  const found = (names: readonly string[]): number =>
    new Set(names.filter((name) => evidence.has(name))).size / evidence.size;
  const first = (k: number): string[] => named.slice(0, k).flat();
  const tokensOf = (texts: readonly { readonly text: string }[]): number =>
    texts.reduce((sum, one) => sum + estimateTokens(one.text), 0);
  return {
    category,
    at: { 5: found(first(5)), 10: found(first(10)), 20: found(first(20)) },
    inTenTurns: found([...new Set(named.flat())].slice(0, TEN)),
    anywhere: found(named.flat()),
    turnsOfTen: new Set(first(TEN)).size,
    tokensOfTen: tokensOf(hits.slice(0, TEN)),
    tokens: tokensOf(hits),
  };
}

/** The same storage, which can be told to let looks go by: a question must not change what the next one finds. */
function countingLooks(storage: Storage, looks: { readonly areCounted: boolean }): Storage {
  return {
    ...storage,
    async commit(scope, writes, cause, options) {
      const kept = looks.areCounted ? writes : writes.filter(({ op }) => op !== "entry-touch");
      if (kept.length > 0 || writes.length === 0) return storage.commit(scope, kept, cause, options);
      const { seq } = await storage.feed.head();
      return { previous: seq, seq, turns: [] };
    },
  };
}

function nameOf({ metadata = {} }: Pick<NewTurn, "metadata">): string {
  return evidenceIds(String(metadata.dia_id))[0] ?? "";
}

/** "D8:6; D9:17", "D:11:26" and "D30:05" are all in the data. */
function evidenceIds(text: string): string[] {
  return [...text.matchAll(/D:?(\d+):(\d+)/g)].map(
    ([, session, turn]) => `${Number(session)}:${Number(turn)}`,
  );
}
