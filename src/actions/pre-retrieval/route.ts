/**
 * Which ways of looking fit a question (S0-36 … S0-38)? By keywords in it, by the times and names that rules find in it, or
 * by those that the model finds. It lays out routes and their hints, which the service reads or refuses (B.0.9, 1); which
 * service there is it does not know.
 */
import { z } from "zod";
import { type Json, jsonSchema } from "../../base/json.ts";
import { type Claims, defineAction, type PreRetrievalContext } from "../../pipeline/action.ts";
import type { Question } from "../../pipeline/question.ts";
import type { Hints } from "../../services/hints.ts";
import { analyseQuery } from "../../tasks/analyse-query.ts";
import { mentions } from "../../text/mentions.ts";
import { layRoutes } from "./merge-routes.ts";
import { type Named, readByModel, readByRules } from "./route/read-names.ts";
import {
  askedFields,
  commonRouteOptions,
  hintClaim,
  hintsOf,
  namedRouteOptions,
  namesHint,
  waySchema,
} from "./route/route-options.ts";
import { timeRangeOf } from "./time-range.ts";

const ruleSchema = waySchema.extend({
  keywords: z.array(z.string().min(1)).min(1).describe("Words of which the question must hold one."),
});

const byNames = z.strictObject({ ...commonRouteOptions, ...namedRouteOptions });

const options = z
  .discriminatedUnion("route_strategy", [
    z.strictObject({
      route_strategy: z.literal("keyword").describe("By words that the question holds."),
      rules: z.array(ruleSchema).min(1).describe("Words and the ways they lead to, the first fitting first."),
      ...commonRouteOptions,
    }),
    byNames.extend({
      route_strategy: z.literal("local").describe("By the times and names that rules find in the question."),
    }),
    byNames.extend({
      route_strategy: z
        .literal("llm")
        .describe("By the times and names that the model finds in the question."),
      prompt: z.string().min(1).describe("Prompt of the task analyse_query."),
    }),
  ])
  .refine(({ allow_multi_route, max_routes }) => allow_multi_route === (max_routes !== null), {
    path: ["max_routes"],
    error: "must be a number if several routes are allowed, and null if they are not",
  })
  .refine(
    (given) =>
      given.route_strategy === "keyword" || (given.time_route === null) === (given.time_margin_days === null),
    {
      path: ["time_margin_days"],
      error: "must be a number if there is a time_route, and null if there is none",
    },
  );
type Options = z.infer<typeof options>;

export const route = defineAction({
  stage: "pre_retrieval",
  name: "route",
  summary: "Lays out the ways of looking that fit the question, with their hints.",
  options,
  subtype: "route_strategy",
  claims,
  async run(question, context, options) {
    const fitting =
      options.route_strategy === "keyword"
        ? routesByKeyword(question, options)
        : routesByName(question, await named(question, context, options), options);
    const taken = fitting.slice(0, options.max_routes ?? 1);
    const routes = [...taken, ...defaultBeside(taken, question, options)];
    context.note("route_strategy", options.route_strategy);
    context.note(
      "strategies",
      routes.map(({ strategy }) => strategy ?? null),
    );
    context.note("params", routes.map(paramsOf));
    return layRoutes(question, routes);
  },
});

/**
 * The default route where nothing fits, or beside what fits. The service's own way without a hint is what a question takes
 * anyway, so it is a route only beside others that are laid out here.
 */
function defaultBeside(
  taken: readonly Hints[],
  { routes }: Question,
  { default_route, keep_default }: Options,
): Hints[] {
  const hints = hintsOf(default_route);
  if (taken.length > 0 && !keep_default) return [];
  if (taken.some(({ strategy }) => strategy === hints.strategy)) return [];
  const isBare = Object.keys(hints).length === 0;
  return isBare && (taken.length === 0 || routes.length > 0) ? [] : [hints];
}

/** As a trace shows them. */
function paramsOf({ strategy: _, ...params }: Hints): Json {
  return jsonSchema.parse(JSON.parse(JSON.stringify(params)));
}

type ByKeyword = Extract<Options, { route_strategy: "keyword" }>;
type ByName = Exclude<Options, ByKeyword>;

function routesByKeyword({ text }: Question, { rules }: ByKeyword): Hints[] {
  return rules
    .filter(({ keywords }) => keywords.some((word) => mentions(text, word)))
    .map((way) => hintsOf(way));
}

function named(question: Question, context: PreRetrievalContext, options: ByName): Promise<Named> {
  return options.route_strategy === "llm"
    ? readByModel(question, context, options.prompt)
    : readByRules(question);
}

function routesByName(
  question: Question,
  { names, times }: Named,
  { time_route, time_margin_days, name_route }: ByName,
): Hints[] {
  const routes: Hints[] = [];
  const time_range = timeRangeOf(times, question, time_margin_days ?? 0);
  if (time_route !== null && time_range !== undefined) routes.push(hintsOf(time_route, { time_range }));
  if (name_route !== null && names.length > 0) {
    routes.push(hintsOf(name_route, { [namesHint(name_route.strategy)]: names }));
  }
  return routes;
}

function claims(options: Options): Claims {
  const { default_route } = options;
  if (options.route_strategy === "keyword") {
    return {
      hints: [...options.rules, default_route].map((way) => hintClaim(way)),
      asksVectorFields: askedFields([...options.rules, default_route]),
    };
  }
  const { time_route, name_route } = options;
  return {
    hints: [
      ...(time_route === null ? [] : [hintClaim(time_route, ["time_range"])]),
      ...(name_route === null ? [] : [hintClaim(name_route, [namesHint(name_route.strategy)])]),
      hintClaim(default_route),
    ],
    asksVectorFields: askedFields([time_route, default_route]),
    prompts: options.route_strategy === "llm" ? [{ task: analyseQuery, prompt: options.prompt }] : [],
  };
}
