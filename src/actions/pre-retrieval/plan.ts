/**
 * SimpleMem's planned retrieval (S2-23 … S2-28): what must be known, which few queries find it, and beside their searches
 * by meaning one by words and one by facts. All are independent and asked at once; `reflect` reads what was wanted.
 */
import { z } from "zod";
import { type Filter, where } from "../../base/filter.ts";
import { defineAction, type PreRetrievalContext } from "../../pipeline/action.ts";
import type { Question, SubQuery } from "../../pipeline/question.ts";
import type { Hints } from "../../services/hints.ts";
import { analyseQuery } from "../../tasks/analyse-query.ts";
import { type InformationPlan, planInformation } from "../../tasks/plan-information.ts";
import { distinctTexts } from "../../tasks/reply-forms.ts";
import { targetedQueries } from "../../tasks/targeted-queries.ts";
import { ownRoute } from "./merge-routes.ts";
import { reworded } from "./rephrase.ts";
import { timeRangeOf } from "./time-range.ts";

const count = z.number().int().min(1);
const promptOf = (task: string) => z.string().min(1).describe(`Prompt of the task ${task}.`);

const options = z
  .strictObject({
    max_queries: count.describe(
      "How many queries one becomes that are searched for by meaning at most, itself among them.",
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
  async run(question, context, options) {
    const plans = await Promise.all(
      question.queries.map((query) => planFor(query, question, context, options)),
    );
    const all = (of: (plan: Planned) => readonly string[]): string[] => distinctTexts(plans.flatMap(of));
    context.note(
      "question_type",
      all(({ types }) => types),
    );
    const queries = distinctSearches(plans.flatMap(({ searches }) => searches));
    context.note(
      "queries",
      queries.filter(({ route }) => route?.strategy === "semantic").map(({ text }) => text),
    );
    return {
      ...question,
      queries,
      wanted: distinctTexts([...question.wanted, ...all(({ wanted }) => wanted)]),
      keywords: distinctTexts([...question.keywords, ...all(({ keywords }) => keywords)]),
      entities: distinctTexts([...question.entities, ...all(({ entities }) => entities)]),
    };
  },
});

type Analysis = z.infer<typeof analyseQuery.reply>;

/** What becomes of one query. */
interface Planned extends Pick<Question, "wanted" | "keywords" | "entities"> {
  readonly searches: readonly SubQuery[];
  readonly types: readonly string[];
}

/** A query with a way of looking of its own was planned before. */
async function planFor(
  query: SubQuery,
  question: Question,
  { think }: PreRetrievalContext,
  options: Options,
): Promise<Planned> {
  if (query.route !== undefined)
    return { searches: [query], types: [], wanted: [], keywords: [], entities: [] };
  const asked = query.text;
  const persons = distinctTexts(question.talk.map(({ speaker }) => speaker));
  const needed = await think(planInformation, { question: asked }, options.plan_prompt);
  const given = { question: asked, plan: needed, limit: options.max_queries };
  const [targeted, said] = await Promise.all([
    think(targetedQueries, given, options.queries_prompt),
    think(analyseQuery, { question: asked, persons }, options.analysis_prompt),
  ]);
  const search = (text: string, route: Hints, topK: number): SubQuery => ({
    ...reworded(query, text),
    route: ownRoute(route, question),
    topK,
  });
  const { semantic_top_k, keyword_top_k, structured_top_k } = options;
  const facts = factsFilter(said, question, options);
  const { keywords } = said;
  return {
    searches: [
      ...targeted.queries.map((text) => search(text, { strategy: "semantic" }, semantic_top_k)),
      ...(keyword_top_k === null ? [] : [search(asked, { strategy: "lexical", keywords }, keyword_top_k)]),
      ...(structured_top_k === null || facts === undefined
        ? []
        : [narrowed(search(asked, { strategy: "structured" }, structured_top_k), facts)]),
    ],
    types: [needed.question_type],
    wanted: wantedOf(needed),
    keywords,
    entities: distinctTexts([...needed.key_entities, ...said.persons, ...said.entities]),
  };
}

/** Two queries may want the same to be looked for. */
function distinctSearches(searches: readonly SubQuery[]): SubQuery[] {
  const seen = new Map<string, SubQuery>();
  for (const search of searches) {
    const key = JSON.stringify([search.text.trim().toLowerCase(), search.route, search.filter]);
    if (!seen.has(key)) seen.set(key, search);
  }
  return [...seen.values()];
}

function narrowed(query: SubQuery, facts: Filter): SubQuery {
  return { ...query, filter: query.filter === undefined ? facts : where.and(query.filter, facts) };
}

/** Any of the persons and any of the things, and the place, and the time, as far as the question names them. */
function factsFilter(said: Analysis, question: Question, { time_margin_days }: Options): Filter | undefined {
  const anyOf = (field: string, values: readonly string[]): Filter[] =>
    values.length === 0 ? [] : [where.or(...values.map((value) => where.contains(field, value)))];
  const range = timeRangeOf(said.time_expression ?? "", question, time_margin_days ?? 0);
  const filters = [
    ...anyOf("metadata.persons", said.persons),
    ...anyOf("metadata.entities", said.entities),
    ...anyOf("metadata.location", said.location === null ? [] : [said.location]),
    ...(range === undefined ? [] : [where.range("happenedAt", { gte: range.from, lte: range.to })]),
  ];
  return filters.length === 0 ? undefined : where.and(...filters);
}

function wantedOf({ required_info }: InformationPlan): string[] {
  return (["high", "medium", "low"] as const).flatMap((wanted) =>
    required_info.filter(({ priority }) => priority === wanted).map(({ description }) => description),
  );
}
