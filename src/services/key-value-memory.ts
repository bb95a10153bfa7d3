/**
 * Entries under keys (S0-3): looked up by the key itself, by a similar one, by words or by meaning. An entry's keys
 * stand in its metadata as `key`, one text or a list, so they live as long as it does: the one that an active insert
 * names, those it came with, or else those its text names.
 */
import { z } from "zod";
import type { Hit } from "../base/hit.ts";
import type { JsonObject } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Collection } from "../collection/collection.ts";
import type { NewItem } from "../collection/insert.ts";
import { BaseService, commonOptions, type Placement } from "./base-service.ts";
import { KEY_EXTRACTORS, type KeysOf, keysBy } from "./key-extractor.ts";
import { keySchema } from "./requests.ts";
import { byKey, KEY_FIELD, KEY_INDEX, lookUp } from "./search/key.ts";
import { lexical, TEXT_INDEX } from "./search/lexical.ts";
import { type Searches, strategiesOf } from "./search/search.ts";
import { byNearness } from "./search/semantic.ts";
import { structured } from "./search/structured.ts";
import { byTags, TAG_INDEX } from "./search/tags.ts";
import {
  defineService,
  type OptimizeReport,
  type OptimizeRequest,
  type ServiceDeps,
  type ServiceTraits,
} from "./service.ts";
import { vectorIndexes } from "./vector-fields.ts";

const threshold = z.number().gt(0).max(1);

const options = z
  .strictObject({
    ...commonOptions,
    match_type: z
      .enum(["exact", "fuzzy", "semantic", "tag"])
      .describe(
        "How a question without a hint is matched: by the same key, by a similar key, by nearness of meaning, or by the tags that stand in it and nothing else: most tags first, then the newest day, the greatest strength, the newest.",
      ),
    key_extractor: z
      .enum(KEY_EXTRACTORS)
      .describe("What the keys of a text without a key are: its names, its keywords, or nothing."),
    max_keys: z
      .number()
      .int()
      .min(1)
      .nullable()
      .describe("How many keys the extractor may find in a text; null for none, which looks for none."),
    fuzzy_threshold: threshold.describe("How similar a key must be to count as similar, by edit distance."),
    semantic_threshold: threshold.describe("The least cosine at which an entry is near in meaning."),
    case_sensitive: z.boolean().describe('Whether "Tea" and "tea" are two keys.'),
  })
  .refine(({ key_extractor, max_keys }) => (max_keys === null) === (key_extractor === "none"), {
    error: "max_keys is null for the key_extractor none, and only there",
    path: ["max_keys"],
  });
type Options = z.infer<typeof options>;

export interface FuzzyOptions {
  /** Unsaid: the service's fuzzy_threshold. */
  readonly threshold?: number | undefined;
  /** Unsaid: the service's top_k. */
  readonly limit?: number | undefined;
}

const lookUpSchema = z.strictObject({ key: keySchema, threshold, limit: z.int().min(0) });

/** As an entry's metadata name its keys. */
const ownKeys = z.union([keySchema, z.array(keySchema).min(1)]);

const NAME = "key_value_memory";

export const keyValueMemory = defineService({
  name: NAME,
  summary: "Entries under keys: looked up by the key, by a similar one, by words or by meaning.",
  options,
  traits: traitsOf,
  open: openKeyValueMemory,
});

export async function openKeyValueMemory(given: Options, deps: ServiceDeps): Promise<KeyValueMemory> {
  const { case_sensitive } = given;
  const byTag = given.match_type === "tag";
  const store = await deps.manager.open({
    name: given.collection_name,
    profile: "hybrid",
    indexes: [
      { name: KEY_INDEX, kind: "key", options: { field: byTag ? "tags" : KEY_FIELD, case_sensitive } },
      ...(byTag ? [{ name: TAG_INDEX, kind: "tag", options: { case_sensitive } }] : []),
      { name: TEXT_INDEX, kind: "text_bm25" },
      ...vectorIndexes(deps.fields),
    ],
  });
  return new KeyValueMemory(given, store, deps);
}

export class KeyValueMemory extends BaseService {
  protected readonly searches: Searches;
  protected readonly placements = ["key", "targetIndexes"] as const;
  readonly #options: Options;
  readonly #keysOf: KeysOf;

  constructor(given: Options, store: Collection, deps: ServiceDeps) {
    super({ name: NAME, traits: traitsOf(given), options: given }, store, deps);
    this.#options = given;
    this.#keysOf = keysBy(given.key_extractor, given.max_keys);
    this.searches = searchesOf(given);
  }

  /** What lies under exactly this key, newest first. */
  async getByKey(scope: Scope, key: string, limit: number = this.#options.top_k): Promise<Hit[]> {
    return this.#lookUp(scope, { key, threshold: 1, limit });
  }

  /** What lies under this key or one like it, the most similar first. */
  async fuzzySearch(scope: Scope, key: string, asked: FuzzyOptions = {}): Promise<Hit[]> {
    const { fuzzy_threshold, top_k } = this.#options;
    return this.#lookUp(scope, { key, threshold: fuzzy_threshold, limit: top_k, ...asked });
  }

  /** After a sweep the mirror of tags is made anew of those that are still borne (S3-17). */
  override async optimize(scope: Scope, request: OptimizeRequest): Promise<OptimizeReport> {
    const report = await super.optimize(scope, request);
    if (report.retired.length + report.deleted.length > 0) await this.store.tidy();
    return report;
  }

  protected async place(_scope: Scope, { entry, params }: Placement): Promise<NewItem> {
    const tags = this.#options.match_type === "tag" ? (entry.tags ?? []) : [];
    const given = [...(params.key === undefined ? [] : [params.key]), ...keysIn(entry.metadata), ...tags];
    const keys = [...new Set(given.length > 0 ? given : await this.#keysOf.entry(entry.content))];
    const key = keys.length === 1 ? keys[0] : keys;
    if (this.#options.match_type === "tag") return this.#tagged(entry, keys, params.targetIndexes);
    return {
      ...entry,
      ...(key === undefined || keys.length === 0 ? {} : { metadata: { ...entry.metadata, key } }),
      ...(params.targetIndexes === undefined ? {} : { indexes: params.targetIndexes }),
    };
  }

  /** Its keys are its tags: those it came with, and those it is placed under. */
  #tagged(
    entry: Placement["entry"],
    keys: readonly string[],
    indexes: readonly string[] | undefined,
  ): NewItem {
    return {
      ...entry,
      tags: keys,
      ...(indexes === undefined ? {} : { indexes }),
    };
  }

  async #lookUp(scope: Scope, asked: unknown): Promise<Hit[]> {
    const { key, threshold: least, limit: topK } = parseInput(lookUpSchema, asked, "look under a key");
    const hits = await lookUp(this.searchFor(scope, { topK }, {}), [key], least);
    await this.touch(scope, hits);
    return hits;
  }
}

function traitsOf(given: Options): ServiceTraits {
  return {
    abilities: ["keys", "text", "vector"],
    triggers: ["reflection", "forgetting", "summarize"],
    strategies: strategiesOf(searchesOf(given)),
    tiers: [],
    pending: [],
    needsQueryVector: false,
  };
}

/** The way that a question without a hint goes comes first. */
function searchesOf({ match_type, key_extractor, max_keys, ...given }: Options): Searches {
  const key = byKey({
    threshold: match_type === "fuzzy" ? given.fuzzy_threshold : 1,
    keysOf: keysBy(key_extractor, max_keys).question,
  });
  const near = byNearness([], () => ({}), given.semantic_threshold);
  if (match_type === "tag") return { key: byTags, lexical, structured, semantic: near };
  return match_type === "semantic" ? { semantic: near, key, lexical } : { key, lexical, semantic: near };
}

/** Keys that could not be looked up are refused: they are the caller's, and not to be replaced by others. */
function keysIn(metadata: JsonObject | undefined): readonly string[] {
  if (metadata?.key === undefined) return [];
  return [parseInput(ownKeys, metadata.key, "entry's metadata.key")].flat();
}
