/**
 * FactConsolidation, single hop, 6k tokens (MemoryAgentBench, Hu et al., 2025): some 450 facts come one after another, and
 * a later one overrides an earlier one of the same thing. Is the newest value what a memory gives first?
 *
 * Each fact is a turn, without its number: the order of the turns says what is newer. They come through the journal and the
 * preset's own windows, with no model. Then every question is asked once, and two things are counted over all of them:
 *
 * - first: the first hit holds the answer, as whole words, and is no older statement of the same. An answer that the
 *   question itself holds tells nothing, and there is none.
 * - order: the newest statement is recalled, and no older value of it stands before it.
 *
 * The older values of a question are the facts that say the same as its newest fact with something else where the answer
 * stands, and come before it; the newest fact is the last one that holds the answer and most of the question's words.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseScope } from "../../src/base/scope.ts";
import { builtInEmbedder } from "../../src/models/local/built-in.ts";
import type { EmbedderSet } from "../../src/models/local/embedder-set.ts";
import { appendTurns } from "../../src/pipeline/journal.ts";
import { loadPreset } from "../../src/preset/load.ts";
import { openPreset } from "../../src/preset/open.ts";
import { derive } from "../../src/runtime/derive.ts";
import { openInMemory } from "../../src/storage/memory.ts";
import { tokenize } from "../../src/text/tokenize.ts";

const fileSchema = z.array(
  z.object({
    context: z.string(),
    questions: z.array(z.string()),
    answers: z.array(z.array(z.string()).min(1)),
    metadata: z.object({ source: z.string() }),
  }),
);

const SET = "factconsolidation_sh_6k";

export interface FactQuestion {
  readonly text: string;
  readonly answers: readonly string[];
  /** The last fact that tells the answer; undefined where no fact does. */
  readonly newest: string | undefined;
  /** The same told of another value, before it. */
  readonly older: readonly string[];
}

export interface FactSet {
  /** In the order they were told. */
  readonly facts: readonly string[];
  readonly questions: readonly FactQuestion[];
}

export interface FactScores {
  readonly preset: string;
  /** Per cent of the questions. */
  readonly first: number;
  readonly order: number;
  /** Questions whose value has changed at least once, and the first of them alone, in per cent. */
  readonly changed: number;
  readonly firstOfChanged: number;
  readonly questions: number;
  readonly facts: number;
  /** Facts that are out of recall at the end. */
  readonly superseded: number;
  readonly ingestSeconds: number;
  readonly missed: readonly string[];
}

/** The scores of each preset; `say` is told what is going on. */
export async function factConsolidation(
  dataFolder: string,
  presetNames: readonly string[],
  say: (text: string) => void,
): Promise<FactScores[]> {
  const set = loadFacts(dataFolder);
  const embedder = await builtInEmbedder({});
  const scores: FactScores[] = [];
  for (const name of presetNames) {
    const one = await score(name, set, embedder);
    say(
      `${name}: newest first ${one.first} %, in order ${one.order} %, ${one.facts} facts in ${one.ingestSeconds.toFixed(1)} s`,
    );
    scores.push(one);
  }
  return scores;
}

export function loadFacts(dataFolder: string): FactSet {
  const file = join(dataFolder, "fact_consolidation", "fact_consolidation_dev.json");
  const sets = fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const found = sets.find(({ metadata }) => metadata.source === SET);
  if (found === undefined) throw new Error(`${file} holds no set ${SET}.`);
  const facts = found.context.split("\n").flatMap((line) => /^\d+\. (.+)$/.exec(line)?.[1] ?? []);
  const questions = found.questions.map((text, place) => {
    const answers = found.answers[place] ?? [];
    return { text, answers, ...historyOf(text, answers, facts) };
  });
  return { facts, questions };
}

function historyOf(
  question: string,
  answers: readonly string[],
  facts: readonly string[],
): Pick<FactQuestion, "newest" | "older"> {
  const asked = new Set(tokenize(question));
  const shared = (fact: string): number => new Set(tokenize(fact).filter((word) => asked.has(word))).size;
  const telling = facts.filter((fact) => answers.some((answer) => holds(fact, answer)));
  const most = Math.max(0, ...telling.map(shared));
  const newest = telling.findLast((fact) => shared(fact) === most);
  if (newest === undefined) return { newest, older: [] };
  const answer = answers.find((one) => holds(newest, one)) ?? "";
  const at = newest.lastIndexOf(answer);
  const [before, after] = [newest.slice(0, at), newest.slice(at + answer.length)];
  const older = facts
    .slice(0, facts.lastIndexOf(newest))
    .filter((fact) => fact !== newest && fact.startsWith(before) && fact.endsWith(after));
  return { newest, older };
}

async function score(name: string, set: FactSet, embedder: EmbedderSet): Promise<FactScores> {
  const scope = parseScope("bench");
  const storage = await openInMemory();
  const memory = await openPreset(await loadPreset(name), { storage, embedder });
  try {
    const start = performance.now();
    // A minute apart, as messages are.
    const told = set.facts.map((text, place) => ({
      text,
      speaker: "user",
      happenedAt: BEGIN + place * MINUTE,
    }));
    await appendTurns(storage, scope, told);
    await derive(memory, storage, scope, { finish: true });
    const ingestSeconds = (performance.now() - start) / 1000;
    const asked = await Promise.all(
      set.questions.map(async (question) => {
        const { hits } = await memory.retrieve(scope, {
          text: question.text,
          at: BEGIN + set.facts.length * MINUTE,
        });
        return { question, texts: hits.map(({ content }) => content) };
      }),
    );
    const stored = await storage.scan(scope, { collection: memory.service.collection, limit: 100_000 });
    const judged = asked.map(({ question, texts }) => ({
      question,
      texts,
      isFirst: isNewest(texts[0], question),
      inOrder: isInOrder(texts, question),
    }));
    const changed = judged.filter(({ question }) => question.older.length > 0);
    return {
      preset: name,
      first: share(judged, ({ isFirst }) => isFirst),
      order: share(judged, ({ inOrder }) => inOrder),
      changed: changed.length,
      firstOfChanged: share(changed, ({ isFirst }) => isFirst),
      questions: judged.length,
      facts: set.facts.length,
      superseded: stored.filter(({ supersededBy }) => supersededBy !== null).length,
      ingestSeconds,
      missed: judged
        .filter(({ isFirst }) => !isFirst)
        .map(({ question, texts }) => `${question.text} → ${texts[0]}`),
    };
  } finally {
    await memory.close();
    await storage.close();
  }
}

const BEGIN = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

function isNewest(hit: string | undefined, { text, answers, older }: FactQuestion): boolean {
  if (hit === undefined || older.some((fact) => holds(hit, fact))) return false;
  return answers.some((answer) => !holds(text, answer) && holds(hit, answer));
}

function isInOrder(hits: readonly string[], { newest, older }: FactQuestion): boolean {
  if (newest === undefined) return false;
  const place = hits.findIndex((hit) => holds(hit, newest));
  return place >= 0 && !hits.slice(0, place).some((hit) => older.some((fact) => holds(hit, fact)));
}

/** As whole words, whatever the case and the stop at the end. */
function holds(text: string, part: string): boolean {
  const plain = (words: string): string =>
    ` ${words
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
      .trim()} `;
  return plain(text).includes(plain(part));
}

function share<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.length === 0 ? 0 : Math.round((1000 * all.filter(is).length) / all.length) / 10;
}
