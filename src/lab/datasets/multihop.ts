/**
 * Questions that need several passages: MuSiQue's form (paragraphs, some of them supporting) and that of HotpotQA and
 * 2WikiMultihopQA (titles of supporting facts). All questions of a file are asked of one corpus: a single case, in which every
 * passage is a turn, a session of its own and nobody's words, called by its place in the corpus. Without a file for it the
 * corpus is what the questions bring with them. What a model once read out of the passages may come as a third file.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LabQuestion } from "../dataset.ts";
import type { LeftOut } from "./left-out.ts";
import type { DataFile, Loader } from "./loaded.ts";
import {
  type Corpus,
  corpusOf,
  joinSentences,
  type Passage,
  passageText,
  readCorpus,
} from "./multihop-corpus.ts";
import { readRecording } from "./openie.ts";
import { turnText } from "./turn-text.ts";

const musiqueSchema = z.array(
  z.object({
    id: z.string(),
    question: z.string(),
    paragraphs: z.array(
      z.object({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() }),
    ),
    answer: z.string(),
    answer_aliases: z.array(z.string()).default([]),
    answerable: z.boolean().default(true),
  }),
);

const hotpotSchema = z.array(
  z.object({
    _id: z.string(),
    question: z.string(),
    type: z.string().default(""),
    answer: z.string(),
    supporting_facts: z.array(z.tuple([z.string(), z.number()])),
    context: z.array(z.tuple([z.string(), z.array(z.string())])),
  }),
);

/** A question of either form. */
interface Asked extends Pick<LabQuestion, "id" | "text" | "category" | "answers" | "expects"> {
  readonly passages: readonly (Passage & { readonly isSupporting: boolean })[];
  /** Titles of supporting facts that its own passages do not have. */
  readonly elsewhere: readonly string[];
}

export const loadMultihop: Loader = ([questions, corpusFile, recording], leftOut, name) => {
  const asked = readQuestions(questions);
  const corpus =
    corpusFile === undefined
      ? corpusOf(distinct(asked.flatMap(({ passages }) => passages)))
      : readCorpus(corpusFile, leftOut);
  const turns = [...corpus.passages].map(([ref, passage]) => ({
    ref,
    session: ref,
    text: turnText(passageText(passage)),
  }));
  const cases = [{ id: name, turns, questions: asked.map((one) => questionOf(one, corpus, leftOut)) }];
  return { cases, recorded: recording === undefined ? undefined : readRecording(recording, corpus, leftOut) };
};

function questionOf(asked: Asked, corpus: Corpus, leftOut: LeftOut): LabQuestion {
  const { id, text, category, answers, expects, passages, elsewhere } = asked;
  const wanted = [
    ...passages.filter(({ isSupporting }) => isSupporting),
    ...elsewhere.map((title) => ({ title, text: "" })),
  ];
  const evidence = new Set<string>();
  for (const passage of wanted) {
    const ref = corpus.refOf(passage);
    if (ref === undefined) leftOut.add("supporting passages that are not in the corpus");
    else evidence.add(ref);
  }
  return { id, text, category, answers, expects, evidence: [...evidence], sessions: [...evidence] };
}

function readQuestions({ path, value }: DataFile): Asked[] {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  const isMusique = typeof first === "object" && first !== null && "paragraphs" in first;
  if (isMusique) return parseInput(musiqueSchema, value, `multi-hop file ${path}`).map(fromMusique);
  return parseInput(hotpotSchema, value, `multi-hop file ${path}`).map(fromHotpot);
}

/** "3hop1__…": how many hops, and in which shape, is the beginning of the id. */
function fromMusique(one: z.infer<typeof musiqueSchema>[number]): Asked {
  return {
    id: one.id,
    text: one.question,
    category: one.id.split("__", 1)[0] ?? "",
    answers: [...new Set([one.answer, ...one.answer_aliases])],
    expects: one.answerable ? "answer" : "abstain",
    passages: one.paragraphs.map(({ title, paragraph_text, is_supporting }) => ({
      title,
      text: paragraph_text,
      isSupporting: is_supporting,
    })),
    elsewhere: [],
  };
}

function fromHotpot(one: z.infer<typeof hotpotSchema>[number]): Asked {
  const titles = new Set(one.supporting_facts.map(([title]) => title));
  const own = new Set(one.context.map(([title]) => title));
  return {
    id: one._id,
    text: one.question,
    category: one.type,
    answers: [one.answer],
    expects: "answer",
    passages: one.context.map(([title, sentences]) => ({
      title,
      text: joinSentences(sentences),
      isSupporting: titles.has(title),
    })),
    elsewhere: [...titles].filter((title) => !own.has(title)),
  };
}

function distinct(passages: readonly Passage[]): Passage[] {
  return [...new Map(passages.map((passage) => [passageText(passage), passage])).values()];
}
