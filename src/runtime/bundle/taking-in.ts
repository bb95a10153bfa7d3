/**
 * Line after line into the memory, in transactions of many lines. Each says in itself what has come so far: a turn that the
 * design had taken up moves the design's place in the journal in the same transaction, an entry comes with its vectors and
 * its places. So an import that was stopped is gone on with by doing it again.
 */
import { MemoryError } from "../../base/errors.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Vector } from "../../base/vector.ts";
import { workKind } from "../../collection/insert.ts";
import { isJudged } from "../../pipeline/judgment.ts";
import type { IndexRecord } from "../../storage/registry.ts";
import type { Storage, Write } from "../../storage/storage.ts";
import type { Place } from "../place.ts";
import type { BundleLine, EdgeLine, EntryLine, JoinLine, TurnLine, WorkLine } from "./bundle-line.ts";
import type { Contents } from "./contents.ts";
import { entryOf, vectorsOf } from "./entry-line.ts";
import type { Identities } from "./identities.ts";
import { edgeOf, turnOf } from "./sound-line.ts";
import { spaceOfIndex } from "./space-of-index.ts";

interface TakingInDeps {
  readonly storage: Storage;
  readonly scope: Scope;
  readonly collection: string;
  /** Of the open design. */
  readonly indexes: readonly IndexRecord[];
  readonly place: Place;
  readonly contents: Contents;
  readonly ids: Identities;
  /** Whether memories come, too; else the journal alone, of which the design has taken up nothing. */
  readonly isRestoring: boolean;
  /** Takes up what the scope has said meanwhile, before anything is put behind it; gives its last place in the journal. */
  makeRoom(): Promise<number>;
}

interface TakenIn {
  readonly turns: number;
  readonly entries: number;
  readonly edges: number;
  /** Turns that the design has not taken up. */
  readonly waiting: number;
  /** Entries that came without a vector that an index here is for. */
  readonly lacking: number;
}

const BATCH = 500;
export const CAUSE = { actor: "runtime", cause: "import" } as const;

export class TakingIn {
  readonly #deps: TakingInDeps;
  readonly #dimensions: ReadonlyMap<string, unknown>;
  readonly #lacking = new Set<string>();
  /** Known here, superseded there. */
  readonly #superseded: (readonly [string, string])[] = [];
  readonly #counts = { turns: 0, entries: 0, edges: 0, waiting: 0 };
  #lastTurn: number | undefined;
  #writes: Write[] = [];
  /** Behind the others of their transaction: what joins is there then, and its place is the order in which it joins. */
  #joins: Write[] = [];
  #edges: EdgeLine[] = [];

  constructor(deps: TakingInDeps) {
    this.#deps = deps;
    this.#dimensions = new Map(
      deps.indexes.flatMap((index) => {
        const space = spaceOfIndex(index);
        return space === null ? [] : [[space, index.options.dimension] as const];
      }),
    );
  }

  async take(line: BundleLine): Promise<void> {
    if (line.line === "turn") this.#turn(line);
    if (this.#deps.isRestoring) {
      if (line.line === "entry") this.#entry(line);
      if (line.line === "join") await this.#join(line);
      if (line.line === "edge") this.#edges.push(line);
      if (line.line === "work") this.#work(line);
    }
    if (this.#writes.length + this.#joins.length >= BATCH) await this.#commit();
    if (this.#edges.length >= BATCH) await this.#putEdges();
  }

  async end(): Promise<TakenIn> {
    await this.#commit();
    await this.#putEdges();
    for (const [id, by] of this.#superseded) await this.#supersede(id, by);
    return { ...this.#counts, lacking: this.#lacking.size };
  }

  #turn(line: TurnLine): void {
    const { scope, ids, place, isRestoring } = this.#deps;
    const isTaken = line.taken && isRestoring;
    if (!isTaken) this.#counts.waiting++;
    if (ids.isKnown(line.id)) return;
    this.#counts.turns++;
    const saidMoves = line.shown ? [place.done] : [place.read, place.done];
    const moves = !isTaken ? [] : isJudged(line) ? [place.judged] : saidMoves;
    // What moves on now need not have stopped at the turn before.
    while (isMoveOf(this.#writes.at(-1), moves)) this.#writes.pop();
    this.#writes.push(
      { op: "turn-append", turn: turnOf(line, ids.turn(line.id), scope) },
      ...moves.map((name): Write => ({ op: "cursor-put", name, seq: "journal" })),
    );
  }

  #entry(line: EntryLine): void {
    const { scope, collection, ids, contents } = this.#deps;
    const { supersededBy: by } = line;
    // What took its place may have been deleted while the bundle was written: then it is current again.
    const isReplaced = by !== null && contents.entries.has(by);
    if (ids.isKnown(line.id)) {
      if (isReplaced) this.#superseded.push([line.id, by]);
      return;
    }
    this.#counts.entries++;
    const vectors = vectorsOf(line).filter((vector) => this.#fits(vector));
    const spaces = new Set(vectors.map(({ space }) => space));
    const supersededBy = isReplaced ? ids.entry(by) : null;
    const entry = entryOf(line, { id: ids.entry(line.id), collection, scope, supersededBy });
    const { sources, metadata } = entry;
    this.#writes.push({
      op: "entry-restore",
      entry: { ...entry, sources: sources.map(ids.renamed), metadata: ids.renamedIn(metadata) },
      vectors,
      places: [],
    });
    for (const index of this.#numbers(line, (space) => spaces.has(space)))
      this.#joins.push({ op: "index-join", id: entry.id, index });
  }

  /** What was stopped between an entry and its later joining is made good; where it was moved since, it stays. */
  async #join(line: JoinLine): Promise<void> {
    const { storage, scope, ids } = this.#deps;
    const id = ids.entry(line.id);
    const numbers = this.#numbers(line, () => !this.#lacking.has(line.id));
    let missing = numbers;
    if (ids.isKnown(line.id)) {
      const [joined = []] = await storage.memberships(scope, [id]);
      // One that left all indexes here was archived here.
      missing = joined.length === 0 ? [] : numbers.filter((number) => !joined.includes(number));
    }
    for (const index of missing) this.#joins.push({ op: "index-join", id, index });
  }

  #work(line: WorkLine): void {
    const { ids, collection } = this.#deps;
    if (ids.isKnown(line.entry)) return;
    const subject = ids.entry(line.entry);
    this.#writes.push({
      op: "job-put",
      job: {
        id: line.id.replaceAll(line.entry, subject),
        kind: workKind(collection),
        subject,
        payload: ids.renamedIn(line.payload),
        runAt: line.runAt,
      },
    });
  }

  async #putEdges(): Promise<void> {
    await this.#commit();
    const { storage, scope, collection, ids } = this.#deps;
    const edges = this.#edges.map((line) =>
      edgeOf(line, { from: ids.entry(line.from), to: ids.entry(line.to) }, scope),
    );
    this.#edges = [];
    const keys = ids.known === 0 ? [] : edges;
    const here = new Set((await storage.ownEdges(scope, collection, keys)).map(keyOf));
    for (const edge of edges) {
      if (here.has(keyOf(edge))) continue;
      this.#counts.edges++;
      this.#writes.push({ op: "edge-put", edge });
    }
    await this.#commit();
  }

  async #supersede(id: string, by: string): Promise<void> {
    const { storage, scope, collection, ids } = this.#deps;
    const find = async (one: EntryId) => (await storage.entries(scope, collection, [one]))[0];
    const old = await find(ids.entry(id));
    let heir = await find(ids.entry(by));
    while (heir !== undefined && heir.supersededBy !== null) heir = await find(heir.supersededBy);
    if (old === undefined || old.supersededBy !== null || heir === undefined || heir.id === old.id) return;
    this.#writes.push({ op: "entry-update", id: old.id, fields: { supersededBy: heir.id } });
    await this.#commit();
  }

  /** A vector of another embedder, or of another length, is of no use here; one is made anew. */
  #fits({ space, values }: Vector): boolean {
    return this.#dimensions.get(space) === values.length;
  }

  #numbers(line: EntryLine | JoinLine, hasVector: (space: string) => boolean): number[] {
    return line.indexes.flatMap((name) => {
      const index = this.#deps.indexes.find((one) => one.name === name);
      const space = index === undefined ? null : spaceOfIndex(index);
      if (index !== undefined && (space === null || hasVector(space))) return [index.number];
      this.#lacking.add(line.id);
      return [];
    });
  }

  async #commit(): Promise<void> {
    const writes = [...this.#writes, ...this.#joins];
    if (writes.length === 0) return;
    const { storage, scope, collection, makeRoom } = this.#deps;
    [this.#writes, this.#joins] = [[], []];
    if (!writes.some(({ op }) => op === "cursor-put")) {
      await storage.commit(scope, writes, CAUSE, { collection });
      return;
    }
    // The design's place moves past these turns, and must not move past others that were said meanwhile.
    this.#lastTurn ??= await makeRoom();
    for (;;) {
      try {
        const done = await storage.commit(scope, writes, CAUSE, { collection, lastTurn: this.#lastTurn });
        this.#lastTurn = done.turns.at(-1);
        return;
      } catch (error) {
        if (!MemoryError.is(error) || error.code !== "version_conflict") throw error;
        this.#lastTurn = await makeRoom();
      }
    }
  }
}

function isMoveOf(write: Write | undefined, cursors: readonly string[]): boolean {
  return write?.op === "cursor-put" && cursors.includes(write.name);
}

function keyOf({ from, to, type }: { from: string; to: string; type: string }): string {
  return `${from} ${to} ${type}`;
}
