/**
 * Which entries point most nearly the way the query points? Exactly, by cosine: int8 codes of all vectors in the asked
 * scopes are scanned, every score comes with a rigorous bound of its error (`math/int8.ts`), and whoever can still be
 * among the best by that bound is compared again in full precision. The answer equals a float64 brute force over the
 * stored vectors; the bound only decides how few of them must be read. Asked roughly it reads none: the codes' own
 * cosines are off by a thousandth or so, and where the bound allows for far more they are not given.
 */
import { z } from "zod";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import { normalise } from "../math/cosine.ts";
import {
  type Candidate,
  defineIndex,
  type Index,
  type IndexDefinition,
  type IndexDeps,
  type IndexItem,
  type IndexQuery,
  type IndexStats,
} from "./index-contract.ts";
import { Ordinals } from "./ordinals.ts";
import { byCosine, rescore } from "./rescore.ts";
import { CodeRows } from "./simd/code-rows.ts";
import { Contenders } from "./simd/contenders.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";
import { itemVector, queryVector, type VectorSpace, vectorSpaceOptions } from "./vector-input.ts";

export type VectorFlatOptions = VectorSpace;

export const vectorFlatIndex: IndexDefinition<VectorFlatOptions> = defineIndex({
  kind: "vector_flat",
  family: "vector",
  summary: "Exact cosine search over the vectors of one embedder, by a SIMD scan of compressed codes.",
  options: z.strictObject(vectorSpaceOptions),
  create: (options, deps) => new VectorFlat(options, deps),
});

const SNAPSHOT_VERSION = 2;
/** So many more than asked for are compared in full precision at once: mostly enough for one read of the truth. */
const FIRST_BATCH_EXTRA = 30;

/**
 * What a bound may allow for at most in a rough answer. Bounds are for the worst of directions: those of the built-in embedders
 * lie at 0.015 (at most 0.03), their true errors at a twentieth of that. One component of forty times the others' size is beyond.
 */
const ROUGHEST = 0.04;

/** A query of this kind has no options of its own. */
const paramsSchema = z.strictObject({});

class VectorFlat implements Index {
  readonly kind = vectorFlatIndex.kind;
  readonly needs: Index["needs"];
  readonly #options: VectorFlatOptions;
  readonly #deps: IndexDeps;
  /** Where a vector is normalised on its way in. */
  readonly #unit: Float64Array;
  #ordinals = new Ordinals();
  #rows: CodeRows;

  constructor(options: VectorFlatOptions, deps: IndexDeps) {
    this.#options = options;
    this.#deps = deps;
    this.needs = { fields: [], space: options.space, dimension: options.dimension };
    this.#unit = new Float64Array(options.dimension);
    this.#rows = new CodeRows(options.dimension);
  }

  add(items: readonly IndexItem[]): void {
    // All are checked before any is added: a refused batch leaves no trace.
    const checked = items.map(({ id, scope, vector }) => ({
      id,
      scope,
      vector: itemVector(id, vector, this.#options),
    }));
    for (const { id, scope, vector } of checked) {
      this.#removeOne(id);
      const ordinal = this.#ordinals.add(id, scope);
      try {
        this.#rows.add(ordinal, this.#ordinals.scopeAt(ordinal), normalise(vector, this.#unit));
      } catch (outOfMemory) {
        this.#ordinals.remove(id);
        throw outOfMemory;
      }
    }
  }

  remove(ids: readonly EntryId[]): void {
    for (const id of ids) this.#removeOne(id);
  }

  async query(query: IndexQuery): Promise<Candidate[]> {
    const vector = queryVector(query, this.#options);
    parseInput(paramsSchema, query.params ?? {}, "params of a vector_flat query");
    const enough = query.rough ? this.#roughly(query, vector) : undefined;
    if (enough !== undefined) return enough;
    const gone = new Set<EntryId>();
    for (;;) {
      const best = await this.#best(query, vector, gone);
      if (best === undefined) continue;
      return best.map(({ id, cosine }) => ({ id, score: cosine, parts: { cosine } }));
    }
  }

  save(): Uint8Array {
    const writer = new SnapshotWriter(this.kind, SNAPSHOT_VERSION);
    writer.text(this.#options.space).number(this.#options.dimension);
    this.#ordinals.save(writer);
    this.#rows.save(writer);
    return writer.finish();
  }

  load(bytes: Uint8Array): void {
    const { space, dimension } = this.#options;
    const reader = new SnapshotReader(bytes, this.kind, SNAPSHOT_VERSION);
    if (reader.text() !== space || reader.number() !== dimension) {
      throw snapshotCorrupt(`it is not one of ${dimension} dimensions of "${space}"`);
    }
    const ordinals = Ordinals.load(reader);
    const rows = CodeRows.load(reader, dimension, ordinals);
    reader.end();
    this.#ordinals = ordinals;
    this.#rows = rows;
  }

  stats(): IndexStats {
    return { items: this.#ordinals.size, bytes: this.#ordinals.bytes + this.#rows.bytes };
  }

  #removeOne(id: EntryId): void {
    const ordinal = this.#ordinals.ordinalOf(id);
    if (ordinal < 0) return;
    this.#rows.remove(ordinal, this.#ordinals.scopeAt(ordinal));
    this.#ordinals.remove(id);
  }

  /** By the codes alone; undefined if those are too coarse for one of the best. */
  #roughly(query: IndexQuery, vector: Float32Array): Candidate[] | undefined {
    const best = this.#contenders(query, vector, { trusting: true })
      .map(({ score, ...named }) => ({ ...named, cosine: Math.max(-1, Math.min(1, score)) }))
      .sort(byCosine)
      .slice(0, query.limit);
    if (best.some(({ error }) => error > ROUGHEST)) return undefined;
    return best.map(({ id, cosine }) => ({ id, score: cosine, parts: { cosine } }));
  }

  /** One try; undefined if ids turned out to be gone, which `gone` then names for the next. */
  async #best(
    query: IndexQuery,
    vector: Float32Array,
    gone: Set<EntryId>,
  ): Promise<readonly Hit[] | undefined> {
    const contenders = this.#contenders(query, vector, { gone });
    const exactly = (some: readonly Named[]) =>
      rescore(
        some.map(({ id }) => id),
        vector,
        this.#options,
        this.#deps.fetchVectors,
      );
    const firstCount = query.limit + FIRST_BATCH_EXTRA;
    const first = await exactly(contenders.slice(0, firstCount));
    // With true scores the bar is higher than the floor was: few of the others can still pass it.
    const bar = [...first.found].sort(byCosine)[query.limit - 1]?.cosine ?? Number.NEGATIVE_INFINITY;
    const rest = await exactly(
      contenders.slice(firstCount).filter(({ score, error }) => score + error >= bar),
    );
    for (const id of [...first.gone, ...rest.gone]) gone.add(id);
    if (first.gone.length + rest.gone.length > 0) return undefined;
    return [...first.found, ...rest.found].sort(byCosine).slice(0, query.limit);
  }

  /** Named by id at once: by the time full vectors have come, other entries may have the ordinals. */
  #contenders(
    query: IndexQuery,
    vector: Float32Array,
    { gone = new Set(), trusting = false }: { gone?: ReadonlySet<EntryId>; trusting?: boolean },
  ): readonly Named[] {
    const scopes = [...new Set(query.scopes)]
      .map((scope) => this.#ordinals.scopeNumber(scope))
      .filter((scope) => scope >= 0);
    const all = scopes.reduce((sum, scope) => sum + this.#rows.count(scope), 0);
    const k = Math.min(query.limit, all);
    if (k <= 0) return [];
    const contenders = new Contenders(k, {
      excluded: new Set(this.#rowsOf(gone, scopes)),
      least: query.least,
      trusting,
    });
    const asked = this.#rows.ask(normalise(vector));
    if (query.allow === undefined) {
      for (const scope of scopes) this.#rows.offerScope(scope, asked, contenders);
    } else {
      this.#rows.offerRows(this.#rowsOf(query.allow, scopes), asked, contenders);
    }
    return contenders.ranked().map(({ item, score, error }) => ({
      id: this.#ordinals.idAt(this.#rows.ordinalAt(item)),
      score,
      error,
    }));
  }

  /** The rows of those ids that are here and in one of the scopes, ascending. */
  #rowsOf(ids: ReadonlySet<EntryId>, scopes: readonly number[]): Int32Array {
    const rows: number[] = [];
    for (const id of ids) {
      const ordinal = this.#ordinals.ordinalOf(id);
      if (ordinal >= 0 && scopes.includes(this.#ordinals.scopeAt(ordinal)))
        rows.push(this.#rows.rowOf(ordinal));
    }
    return Int32Array.from(rows).sort();
  }
}

interface Named {
  readonly id: EntryId;
  readonly score: number;
  readonly error: number;
}

interface Hit {
  readonly id: EntryId;
  readonly cosine: number;
}
