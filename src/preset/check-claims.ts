/** Does everything fit together? What actions ask of the service and of each other, held against what is there (B.0.6). */
import { validNames } from "../base/nearest-name.ts";
import { ENDPOINTS } from "../models/endpoints.ts";
import type { Claims } from "../pipeline/action.ts";
import { STAGES } from "../pipeline/stage.ts";
import { serviceNamed } from "../services/index.ts";
import type { ServiceTraits } from "../services/service.ts";
import type { Preset } from "./preset.ts";
import type { Problem } from "./problem.ts";

export function checkClaims(preset: Preset): Problem[] {
  const definition = serviceNamed(preset.service.name);
  const traits = definition.traits(definition.options.parse(preset.service.options));
  return [
    ...STAGES.flatMap((stage) =>
      preset.stages[stage].flatMap((action) =>
        misfits(action.claims, preset, traits).map((what) => ({
          path: action.path,
          message: `The action ${action.action} ${what}`,
        })),
      ),
    ),
    ...checkVectors(preset, traits),
    ...checkIgnored(preset),
    ...checkMethods(preset),
    ...checkCounts(preset),
    ...checkEndpoints(preset),
    ...checkUpkeep(preset),
  ];
}

function misfits(claims: Claims, preset: Preset, traits: ServiceTraits): string[] {
  const { name } = preset.service;
  const has = (list: readonly string[]): string => (list.length === 0 ? "none" : list.join(", "));
  const lacks = (what: string, wanted: readonly string[] | undefined, there: readonly string[]): string[] =>
    (wanted ?? [])
      .filter((one) => !there.includes(one))
      .map((one) => `needs ${what} "${one}", which the service ${name} has not. It has: ${has(there)}.`);
  const offered = Object.keys(traits.strategies);
  const hints = (claims.hints ?? []).flatMap(({ strategy = firstStrategy(traits), names }) => {
    const reads = Object.entries(traits.strategies).find(([one]) => one === strategy)?.[1];
    if (reads === undefined) return lacks("the strategy", [String(strategy)], offered);
    return names
      .filter((hint) => !reads.includes(hint))
      .map(
        (hint) =>
          `sends the hint "${hint}", which ${name} does not read when it looks by "${strategy}". It reads: ${has(reads)}.`,
      );
  });
  return [
    ...lacks("the ability", claims.abilities, traits.abilities),
    ...lacks("the trigger", claims.triggers, traits.triggers),
    ...lacks("the tier", claims.tiers, traits.tiers),
    ...hints,
    ...(claims.pending !== undefined && traits.pending.length === 0
      ? [`settles what a service leaves undecided, but ${name} leaves nothing undecided.`]
      : (claims.pending ?? [])
          .filter((one) => !traits.pending.includes(one))
          .map(
            (one) =>
              `settles "${one}", which ${name} never leaves undecided. It leaves: ${has(traits.pending)}. Valid: ${one}: null.`,
          )),
    ...lacksTurns(claims.turnsBefore ?? 0, preset.input.window),
    ...(claims.embedder === true && preset.models.embedder === null
      ? ["needs vectors, but models.embedder is null. Valid: built_in, or an endpoint."]
      : []),
    ...(claims.reranker === true && preset.models.reranker === null
      ? ["needs a reranker, but models.reranker is null. Valid: an endpoint."]
      : []),
  ];
}

/** A session that is cut, by its length or by silence, shows nothing of what went before. */
function lacksTurns(wanted: number, window: Preset["input"]["window"]): string[] {
  const shown = window.by === "turns" ? window.context : 0;
  if (wanted <= shown) return [];
  return [
    `needs ${wanted} of the turns before a window, but input.window shows ${shown}. Valid: { by: turns, context: ${wanted} } or more.`,
  ];
}

/** What is done by the clock is one of the preset's own actions, with the options it has there. */
function checkUpkeep({ upkeep, stages }: Preset): Problem[] {
  const names = [...new Set(stages.post_insert.map(({ action }) => action))];
  const known = upkeep.map(({ actions }) => actions.join());
  return upkeep.flatMap(({ actions }, place) => [
    ...(known.indexOf(actions.join()) < place
      ? [
          {
            path: ["upkeep", place],
            message: "The same actions have a rule already. Valid: one rule for them.",
          },
        ]
      : []),
    ...actions
      .filter((action) => !names.includes(action))
      .map((action) => ({
        path: ["upkeep", place, "actions"],
        message: `The preset's post_insert has no action "${action}". ${validNames(action, names)}`,
      })),
  ]);
}

function firstStrategy(traits: ServiceTraits): string | undefined {
  return Object.keys(traits.strategies)[0];
}

/** A service that finds by vectors alone gets them: for what is stored and for what is asked. */
function checkVectors(preset: Preset, traits: ServiceTraits): Problem[] {
  const problems: Problem[] = [];
  const { name } = preset.service;
  if (traits.needsQueryVector && preset.models.embedder === null) {
    const message = `The service ${name} finds by vectors alone, but models.embedder is null. Valid: built_in, or an endpoint.`;
    problems.push({ path: ["models", "embedder"], message });
  }
  if (
    traits.needsQueryVector &&
    preset.stages.pre_retrieval.every(({ claims }) => claims.queryVector !== true)
  ) {
    const message = `The service ${name} finds nothing without a vector of the question, and no action here makes one. Valid: an action as embedding in stages.pre_retrieval.`;
    problems.push({ path: ["stages", "pre_retrieval"], message });
  }
  const fields = preset.stages.pre_insert
    .flatMap(({ claims }) => claims.vectorFields ?? [])
    .map((field) => field.name);
  const twice = fields.find((field, place) => field === "content" || fields.indexOf(field) < place);
  if (twice !== undefined) {
    const message = `The vector field "${twice}" is made twice. Valid: names of their own, other than content.`;
    problems.push({ path: ["stages", "pre_insert"], message });
  }
  return [...problems, ...checkQuestion(preset, fields)];
}

/** What is asked by vectors is embedded: after the last change to it, and into fields that entries have. */
function checkQuestion({ stages }: Preset, fields: readonly string[]): Problem[] {
  const path = ["stages", "pre_retrieval"];
  const actions = stages.pre_retrieval;
  const embeds = actions.findLastIndex(({ claims }) => claims.queryVector === true);
  const changes = actions.findLastIndex(({ claims }) => claims.newQueries === true);
  const problems: Problem[] = [];
  if (embeds >= 0 && changes > embeds) {
    const message = `${actions[changes]?.action} makes queries after ${actions[embeds]?.action} has embedded those before. Valid: ${actions[embeds]?.action} after it.`;
    problems.push({ path: [...path, changes], message });
  }
  const semantic = actions.find(({ claims }) =>
    claims.hints?.some(({ strategy }) => strategy === "semantic"),
  );
  if (semantic !== undefined && embeds < 0) {
    const message = `${semantic.action} looks by meaning, and no action here makes a vector of the question. Valid: embedding after it.`;
    problems.push({ path, message });
  }
  const asks = [...actions, ...stages.memory_retrieval, ...stages.post_retrieval];
  const asking = asks.find(({ claims }) => claims.asksQueryVector === true);
  if (asking !== undefined && embeds < 0) {
    const message = `${asking.action} needs a vector of the question, and no action here makes one. Valid: an action as embedding in stages.pre_retrieval.`;
    problems.push({ path, message });
  }
  const asked = asks.flatMap(({ claims }) => claims.asksVectorFields ?? []);
  for (const field of asked.filter((name) => name !== "content" && !fields.includes(name))) {
    const message = `The question is compared by the vector field "${field}", which no action of pre_insert fills. Filled: ${["content", ...fields].join(", ")}.`;
    problems.push({ path, message });
  }
  return problems;
}

/** What an action of pre_retrieval lays out for a search that does not read it would change nothing. */
function checkIgnored({ stages }: Preset): Problem[] {
  const [search] = stages.memory_retrieval;
  const ignores = search?.claims.ignores ?? [];
  return stages.pre_retrieval.flatMap(({ action, claims, path }) => [
    ...(ignores.includes("routes") && (claims.hints ?? []).length > 0
      ? [
          {
            path,
            message: `The action ${action} lays out ways of looking, which ${search?.action} does not read: it has its own. Valid: without it, or memory_retrieval: default.`,
          },
        ]
      : []),
    ...(ignores.includes("order") && claims.inTurn === true
      ? [
          {
            path,
            message: `The action ${action} has queries asked one after another, but ${search?.action} asks them all at once. Valid: order: parallel, or memory_retrieval: default.`,
          },
        ]
      : []),
  ]);
}

/** Drafts begin with "default" and keep their insert method until an action names another: the last names must be listed. */
function checkMethods({ stages }: Preset): Problem[] {
  const listed = stages.memory_insert.map(({ action }) => action);
  const naming = stages.pre_insert.findLast(({ claims }) => claims.insertMethods !== undefined);
  const named = naming?.claims.insertMethods ?? ["default"];
  const missing = named
    .filter((method) => !listed.includes(method))
    .map((method) => ({
      path: naming?.path ?? ["stages", "memory_insert"],
      message: `Drafts will want the insert method "${method}", which stages.memory_insert does not list. It lists: ${listed.join(", ") || "none"}.`,
    }));
  const idle = stages.memory_insert
    .filter(({ action, path }) => path[0] === "stages" && action !== "default" && !named.includes(action))
    .map(({ action, path }) => ({
      path,
      message: `No draft will want the insert method "${action}": it is the actions of pre_insert that choose it. They choose: ${named.join(", ")}.`,
    }));
  return [...missing, ...idle];
}

function checkEndpoints({ models }: Preset): Problem[] {
  return Object.entries(models).flatMap(([part, choice]) => {
    if (choice === null || choice === "built_in" || choice.base_url !== null) return [];
    if (Object.hasOwn(ENDPOINTS, choice.endpoint)) return [];
    const message = `There is no endpoint "${choice.endpoint}". ${validNames(choice.endpoint, Object.keys(ENDPOINTS))} Any other name is valid together with a base_url.`;
    return [{ path: ["models", part, "endpoint"], message }];
  });
}

function checkCounts({ stages }: Preset): Problem[] {
  const problems: Problem[] = [];
  const rounds = stages.post_insert.filter(({ claims }) => claims.cycle === true).map(({ action }) => action);
  if (rounds.length > 1) {
    const message = `${rounds.join(" and ")} each want the one round of retrieve, delete and insert that an entry has. Valid: one of them.`;
    problems.push({ path: ["stages", "post_insert"], message });
  }
  if (stages.memory_retrieval.length !== 1) {
    const message = `There are ${stages.memory_retrieval.length} actions. Valid: exactly one.`;
    problems.push({ path: ["stages", "memory_retrieval"], message });
  }
  const methods = stages.memory_insert.map(({ action }) => action);
  const twice = methods.find((method, place) => methods.indexOf(method) < place);
  if (twice !== undefined) {
    problems.push({
      path: ["stages", "memory_insert"],
      message: `The insert method "${twice}" is listed twice. Valid: once.`,
    });
  }
  return problems;
}
