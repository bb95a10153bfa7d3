/**
 * LoCoMo as retrieval: given a question about two people's conversations, which turns hold the evidence? Traps of the data
 * set: evidence ids are written in several ways, a few questions have none (left out, not counted as found), and category
 * 5 asks about what was never said (reported apart).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { dot } from "../../src/math/cosine.ts";
import type { LocalEmbedder } from "../../src/models/local/local-embedder.ts";
import { cachedVectors } from "./cached-vectors.ts";
import { type Judged, rank, recallAt } from "./recall.ts";

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});

const schema = z.array(
  z.object({
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(
      z.object({
        question: z.string(),
        evidence: z.array(z.string()).default([]),
        category: z.number(),
      }),
    ),
  }),
);

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

export function loadLocomo(folder: string): Conversation[] {
  const data = schema.parse(JSON.parse(readFileSync(join(folder, "locomo", "locomo_dev.json"), "utf8")));
  return data.map(({ conversation, qa }) => {
    const sessions = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key))
      .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
    const turns = sessions.flatMap((key) => z.array(turnSchema).parse(conversation[key]));
    const places = new Map(turns.map((turn, place) => [evidenceIds(turn.dia_id)[0], place]));
    const names = z.array(z.string()).parse([conversation.speaker_a, conversation.speaker_b]);
    const questions = qa.map(({ question, evidence, category }) => {
      const found = evidenceIds(evidence.join(" ")).flatMap((id) => places.get(id) ?? []);
      return { text: withoutNames(question, names), evidence: new Set(found), category };
    });
    return {
      turns: turns.map(turnText),
      questions: questions.filter((question) => question.evidence.size > 0),
    };
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

/** "D8:6; D9:17", "D:11:26" and "D30:05" are all in the data. */
function evidenceIds(text: string): string[] {
  return [...text.matchAll(/D:?(\d+):(\d+)/g)].map(
    ([, session, turn]) => `${Number(session)}:${Number(turn)}`,
  );
}

/** Brackets tell the caption from what was said; without them the encoder finds about one per cent less. */
function turnText({ speaker, text, blip_caption: caption }: z.infer<typeof turnSchema>): string {
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
