/**
 * SimpleMem's planned retrieval (S2-23 … S2-28): what must be known, which few queries find it, and beside their searches
 * by meaning one by words and one by facts. All are independent and asked at once; `reflect` reads what was wanted.
 */
import { z } from "zod";
import { type Filter, where } from "../../base/filter.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { Question, SubQuery } from "../../pipeline/question.ts";
import { analyseQuery } from "../../tasks/analyse-query.ts";
import { type InformationPlan, planInformation } from "../../tasks/plan-information.ts";
import { distinctTexts } from "../../tasks/reply-forms.ts";
import { targetedQueries } from "../../tasks/targeted-queries.ts";
import { timeRangeOf } from "./time-range.ts";

const count = z.number().int().min(1);
const promptOf = (task: string) => z.string().min(1).describe(`Prompt of the task ${task}.`);

const options = z
  .strictObject({
    max_queries: count.describe(
      "How many queries are searched for by meaning at most, the question among them.",
    ),
    semantic_top_k: count.describe("How many hits each search by meaning asks for."),
    keyword_top_k: count
      .nullable()
      .describe("How many hits the search by words asks for; null: no such search."),
    structured_top_k: count
      .nullable()
      .describe(
        "How many hits the search by persons, place, things and time asks for; null: no such search.",
      ),
    time_margin_days: z
      .number()
      .min(0)
      .nullable()
      .describe("How many days around a named time count, too; null where there is no structured search."),
    plan_prompt: promptOf("plan_information"),
    queries_prompt: promptOf("targeted_queries"),
    analysis_prompt: promptOf("analyse_query"),
  })
  .refine(
    ({ structured_top_k, time_margin_days }) => (structured_top_k === null) === (time_margin_days === null),
    {
      path: ["time_margin_days"],
      error: "must be a number if there is a structured search, and null if there is none",
    },
  );
type Options = z.infer<typeof options>;

export const plan = defineAction({
  stage: "pre_retrieval",
  name: "plan",
  summary: "Plans what must be known, and lays out searches by meaning, by words and by facts for it.",
  options,
  claims: (options) => ({
    newQueries: true,
    hints: [
      { strategy: "semantic", names: [] },
      ...(options.keyword_top_k === null ? [] : [{ strategy: "lexical", names: ["keywords"] } as const]),
      ...(options.structured_top_k === null ? [] : [{ strategy: "structured", names: [] } as const]),
    ],
    prompts: [
      { task: planInformation, prompt: options.plan_prompt },
      { task: targetedQueries, prompt: options.queries_prompt },
      { task: analyseQuery, prompt: options.analysis_prompt },
    ],
  }),
  async run(question, { think, note }, options) {
    const asked = question.queries[0]?.text ?? question.text;
    const persons = distinctTexts(question.talk.map(({ speaker }) => speaker));
    const needed = await think(planInformation, { question: asked }, options.plan_prompt);
    const [targeted, said] = await Promise.all([
      think(
        targetedQueries,
        { question: asked, plan: needed, limit: options.max_queries },
        options.queries_prompt,
      ),
      think(analyseQuery, { question: asked, persons }, options.analysis_prompt),
    ]);
    note("question_type", needed.question_type);
    note("queries", targeted.queries);
    return {
      ...question,
      queries: [
        ...targeted.queries.map((text) => search(text, { strategy: "semantic" }, options.semantic_top_k)),
        ...byWords(asked, said, options),
        ...byFacts(asked, said, question, options),
      ],
      wanted: wantedOf(needed),
      keywords: said.keywords,
      entities: distinctTexts([...needed.key_entities, ...said.persons, ...said.entities]),
    };
  },
});

type Analysis = z.infer<typeof analyseQuery.reply>;

function search(text: string, route: SubQuery["route"], topK: number): SubQuery {
  return { text, vectors: [], weight: 1, route, topK };
}

function byWords(asked: string, { keywords }: Analysis, { keyword_top_k: topK }: Options): SubQuery[] {
  return topK === null ? [] : [search(asked, { strategy: "lexical", keywords }, topK)];
}

/** Any of the persons and any of the things, and the place, and the time, as far as the question names them. */
function byFacts(asked: string, said: Analysis, question: Question, options: Options): SubQuery[] {
  const { structured_top_k: topK, time_margin_days } = options;
  if (topK === null) return [];
  const anyOf = (field: string, values: readonly string[]): Filter[] =>
    values.length === 0 ? [] : [where.or(...values.map((value) => where.contains(field, value)))];
  const range = timeRangeOf(said.time_expression ?? "", question, time_margin_days ?? 0);
  const filters = [
    ...anyOf("metadata.persons", said.persons),
    ...anyOf("metadata.entities", said.entities),
    ...anyOf("metadata.location", said.location === null ? [] : [said.location]),
    ...(range === undefined ? [] : [where.range("happenedAt", { gte: range.from, lte: range.to })]),
  ];
  if (filters.length === 0) return [];
  return [{ ...search(asked, { strategy: "structured" }, topK), filter: where.and(...filters) }];
}

function wantedOf({ required_info }: InformationPlan): string[] {
  return (["high", "medium", "low"] as const).flatMap((wanted) =>
    required_info.filter(({ priority }) => priority === wanted).map(({ description }) => description),
  );
}
