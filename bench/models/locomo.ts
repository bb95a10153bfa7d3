/**
 * LoCoMo as retrieval: given a question about two people's conversations, which turns hold the evidence? Questions without
 * evidence are left out, not counted as found; category 5 asks about what was never said, and is reported apart.
 */
import type { LabTurn } from "../../src/lab/dataset.ts";
import { dot } from "../../src/math/cosine.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import { locomoCases } from "../locomo-data.ts";
import { cachedVectors } from "./cached-vectors.ts";
import { type Judged, rank, recallAt } from "./recall.ts";

export interface Question {
  /** Without the names of the two speakers, who are in every turn. */
  readonly text: string;
  readonly evidence: ReadonlySet<number>;
  readonly category: number;
}

export interface Conversation {
  readonly turns: readonly string[];
  readonly questions: readonly Question[];
}

export async function loadLocomo(folder: string): Promise<Conversation[]> {
  return (await locomoCases(folder)).map(({ turns, questions }) => {
    const places = new Map(turns.map(({ ref }, place) => [ref, place]));
    const names = [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))];
    const asked = questions.map(({ text, evidence, category }) => ({
      text: withoutNames(text, names),
      evidence: new Set(evidence.flatMap((ref) => places.get(ref) ?? [])),
      category: Number(category),
    }));
    return { turns: turns.map(turnText), questions: asked.filter(({ evidence }) => evidence.size > 0) };
  });
}

export interface LocomoScores {
  /** Recall at k over categories 1–4, in per cent. */
  at(k: number): number;
  /** Recall at 10 by category, 1 to 5. */
  readonly byCategory: readonly number[];
}

export async function scoreLocomo(
  embedder: LocalEmbedder,
  conversations: readonly Conversation[],
): Promise<LocomoScores> {
  const judged: (Judged & { readonly category: number })[] = [];
  for (const { turns, questions } of conversations) {
    const documents = await cachedVectors(embedder, turns);
    const texts = questions.map(({ text }) => text);
    const queries = await cachedVectors(embedder, texts, { as: "query" });
    questions.forEach(({ evidence, category }, i) => {
      const query = queries[i] ?? new Float32Array();
      const ranking = rank(documents.map((document) => dot(query, document)));
      judged.push({ relevant: evidence, ranking, category });
    });
  }
  const answerable = judged.filter(({ category }) => category <= 4);
  return {
    at: (k) => recallAt(k, answerable),
    byCategory: [1, 2, 3, 4, 5].map((category) =>
      recallAt(
        10,
        judged.filter((one) => one.category === category),
      ),
    ),
  };
}

/** Brackets tell the caption from what was said; without them the encoder finds about one per cent less. */
function turnText({ speaker, text, captions = [] }: LabTurn): string {
  const [caption] = captions;
  return caption === undefined ? `${speaker}: ${text}` : `${speaker}: ${text} [${caption}]`;
}

function withoutNames(question: string, names: readonly string[]): string {
  const name = new RegExp(`\\b(?:${names.join("|")})(?:['’]s)?\\b`, "g");
  return question
    .replace(name, " ")
    .replace(/\s+/g, " ")
    .replace(/ ([?.,!])/g, "$1")
    .trim();
}
