/**
 * FactConsolidation of MemoryAgentBench (Hu et al., 2025): numbered facts come one after another, and a later one overrides an
 * earlier one of the same thing. Is the newest value what a memory gives? A case for each list of facts; questions of one and
 * of several hops are asked of the same list, so that they share its case.
 *
 * Each fact is a turn without its number, which is its ref: the order of the turns says what is newer. They are a minute
 * apart, as messages are, because designs that know time need one, and the file has none.
 *
 * Only single-hop questions can be traced to a fact: several hops go over facts that no label names.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LabCase, LabQuestion } from "../dataset.ts";
import { type FactHistory, factHistory, factWords } from "./fact-history.ts";
import type { LeftOut } from "./left-out.ts";
import type { Loader } from "./loaded.ts";
import { turnText } from "./turn-text.ts";
import { uniqueNames } from "./unique-names.ts";

const schema = z.array(
  z
    .object({
      context: z.string(),
      questions: z.array(z.string()),
      answers: z.array(z.union([z.array(z.string()), z.string().transform((one) => [one])])),
      metadata: z.object({ source: z.string(), qa_pair_ids: z.array(z.string()).nullish() }),
    })
    .superRefine(({ questions, answers }, context) => {
      if (questions.length !== answers.length)
        context.addIssue(`${questions.length} questions with ${answers.length} answers; expected as many`);
    }),
);

type List = z.infer<typeof schema>[number];

const SET = "factconsolidation_";
const FACT = /^(\d+)\.\s*(\S.*)$/u;
const BEGIN = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

export const loadFactConsolidation: Loader = ([{ path, value }], leftOut) => {
  const lists = parseInput(schema, value, `FactConsolidation file ${path}`).filter(({ metadata }) => {
    // Other tasks of the same benchmark may stand in the same file.
    const isFacts = metadata.source.startsWith(SET);
    if (!isFacts) leftOut.add("lists of other tasks of MemoryAgentBench");
    return isFacts;
  });
  const shared = Map.groupBy(lists, ({ context }) => context);
  return { cases: [...shared].map(([context, same]) => caseOf(context, same, leftOut)) };
};

function caseOf(context: string, lists: readonly List[], leftOut: LeftOut): LabCase {
  const id = lists.map(({ metadata }) => metadata.source).join("+");
  const told = context.split("\n").flatMap((line) => {
    const [, number, fact] = FACT.exec(line.trim()) ?? [];
    return number === undefined || fact === undefined ? [] : [{ number, fact: turnText(fact) }];
  });
  const refs = uniqueNames(told.map(({ number }) => number));
  const turns = told.map(({ fact }, place) => ({
    ref: refs[place] ?? String(place),
    session: id,
    text: fact,
    happenedAt: BEGIN + place * MINUTE,
  }));
  const facts = told.map(({ fact }) => fact);
  const words = factWords(facts);
  const questions = lists.flatMap(({ metadata, questions: texts, answers }) => {
    const category = metadata.source.slice(SET.length);
    return texts.map((text, place): LabQuestion => {
      const right = [...new Set(answers[place] ?? [])];
      const trace = category.startsWith("sh") ? traceOf(text, right, facts, words, leftOut) : undefined;
      const ref = trace === undefined ? undefined : refs[trace.place];
      return {
        id: metadata.qa_pair_ids?.[place] ?? `${metadata.source}_no${place}`,
        text,
        category,
        expects: "answer",
        answers: right,
        evidence: ref === undefined ? [] : [ref],
        sessions: ref === undefined ? [] : [id],
        values:
          trace === undefined || trace.older.length === 0
            ? undefined
            : { newest: trace.newest, older: trace.older },
      };
    });
  });
  return { id, turns, questions };
}

function traceOf(
  question: string,
  answers: readonly string[],
  facts: readonly string[],
  words: readonly ReadonlySet<string>[],
  leftOut: LeftOut,
): FactHistory | undefined {
  const history = factHistory(question, answers, facts, words);
  if (history === undefined) leftOut.add("single-hop answers that no fact tells");
  else if (history.isOverridden) leftOut.add("single-hop answers that a later fact overrides");
  else return history;
  return undefined;
}
