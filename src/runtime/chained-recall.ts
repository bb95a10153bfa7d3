/**
 * A look along the things a question speaks of (B.3): of many candidates a few for every entity, then a few of every type. In
 * a design without vectors the entities are asked for together with the question.
 */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { FoundHit } from "../pipeline/question.ts";
import { findEntities } from "../text/entities.ts";
import { mentions } from "../text/mentions.ts";
import type { Running } from "./running.ts";
import { checkQuestion, findCandidates, handOut, type WideOptions, wideShape } from "./wide-search.ts";

export interface ChainedOptions extends WideOptions {
  /** What the question speaks of. @default read out of it */
  readonly entities?: readonly string[] | undefined;
  /** @default 3 */
  readonly perEntity?: number | undefined;
  /** @default 7 */
  readonly perType?: number | undefined;
}

/** All of these are B.3's. */
const LIMIT = 10;
const PER_ENTITY = 3;
const PER_TYPE = 7;
const LEAST_POOL = 100;
const POOL_PER_HIT = 10;
const POOL_PER_TYPE = 20;

const optionsSchema = z.strictObject({
  ...wideShape,
  entities: z.array(z.string().refine((name) => name.trim() !== "", "must not be blank")).optional(),
  perEntity: z.int().min(0).optional(),
  perType: z.int().min(0).optional(),
});

export async function chainedRecall(
  running: Running,
  scope: Scope,
  question: string,
  options: ChainedOptions = {},
): Promise<readonly FoundHit[]> {
  const given = parseInput(optionsSchema, options, "options of chainedRecall");
  const { limit = LIMIT, perEntity = PER_ENTITY, perType = PER_TYPE } = given;
  const entities = given.entities ?? (await entitiesIn(checkQuestion(question)));
  const pool = Math.max(LEAST_POOL, POOL_PER_HIT * limit, POOL_PER_TYPE * perType);
  const text = running.design.embedder === undefined ? [question, ...entities].join(" ") : question;
  const candidates = await findCandidates(running, scope, text, pool, options);
  const { hits } = candidates;
  const chosen = new Set<FoundHit>();
  for (const entity of entities)
    for (const hit of hits.filter((one) => speaksOf(one, entity)).slice(0, perEntity)) chosen.add(hit);
  for (const alike of Map.groupBy(hits, ({ kind }) => kind).values())
    for (const hit of alike.filter((one) => !chosen.has(one)).slice(0, perType)) chosen.add(hit);
  return handOut(candidates, scope, [...chosen].slice(0, limit), options);
}

async function entitiesIn(question: string): Promise<string[]> {
  const found = await findEntities(question);
  return [...new Set(found.map(({ text }) => text))];
}

/** By its tags, by whom and what it names, or by its words. */
function speaksOf({ tags, metadata, content }: FoundHit, entity: string): boolean {
  const { persons, entities } = metadata;
  const names = [persons, entities].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...tags, ...names.filter((name) => typeof name === "string"), content].some((one) =>
    mentions(one, entity),
  );
}
