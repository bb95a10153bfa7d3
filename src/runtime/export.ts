/**
 * One scope as JSONL, a line at a time: a header, the journal with both its clocks, and the memories of the open design with
 * vectors, edges and places, so that another memory answers the same. Read it with `import`. What is on the lines:
 * bundle/bundle-line.ts.
 *
 * It is the scope as it was when the export began; it is read page by page, and what is deleted meanwhile is left out. The
 * log of events stays behind: history and undo begin anew where a bundle is imported. So do links to public memories, which
 * are not the scope's own.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { EntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import { workKind } from "../collection/insert.ts";
import { throwIfAborted } from "../models/abort.ts";
import { isJudged } from "../pipeline/judgment.ts";
import type { IndexRecord } from "../storage/registry.ts";
import { FORMAT, momentText, VERSION, type WrittenLine, writeLine } from "./bundle/bundle-line.ts";
import { entryLine } from "./bundle/entry-line.ts";
import { type Joining, joiningOrder } from "./bundle/joining-order.ts";
import { spaceOfIndex } from "./bundle/space-of-index.ts";
import { ownTurns } from "./pages.ts";
import { placeOf } from "./place.ts";
import type { Running } from "./running.ts";

export interface ExportOptions {
  /** Vectors are most of the size; without them they are made anew on import. @default true */
  readonly vectors?: boolean | undefined;
  /** Told now and then how many of the entries are written. */
  readonly onProgress?: ((entries: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const optionsSchema: z.ZodType<ExportOptions> = z.strictObject({
  vectors: z.boolean().optional(),
  onProgress: z.custom<ExportOptions["onProgress"]>((value) => typeof value === "function").optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

type Exporting = Pick<Running, "storage" | "design" | "worker" | "clock">;

/** What there was when it began. */
interface Standing {
  readonly indexes: readonly IndexRecord[];
  readonly order: readonly Joining[];
  /** Places in the journal, as place.ts has them. */
  readonly read: number;
  readonly done: number;
  readonly judged: number;
}

const PAGE = 500;

export async function* exportScope(
  running: Exporting,
  scope: Scope,
  options: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { vectors = true, onProgress, signal } = parseInput(optionsSchema, options, "options of export");
  const { worker } = running;
  // While nobody works on the scope: where the design stands and what it made fit together.
  const standing = await worker.beside(scope, signal, () => stand(running, scope));
  const hash = createHash("sha256");
  const counts = { turn: 0, entry: 0, join: 0, edge: 0, work: 0, header: 0, end: 0 };
  const writing = { ...running, ...standing, scope, withVectors: vectors, written: new Set<EntryId>() };
  for await (const line of linesOf(writing)) {
    throwIfAborted(signal, "The export");
    counts[line.line]++;
    const text = writeLine(line);
    hash.update(`${text}\n`);
    yield text;
    if (line.line === "entry" && counts.entry % PAGE === 0) onProgress?.(counts.entry, standing.order.length);
  }
  const { turn: turns, entry: entries, join: joins, edge: edges, work } = counts;
  onProgress?.(entries, entries);
  yield writeLine({ line: "end", turns, entries, joins, edges, work, sha256: hash.digest("hex") });
}

async function stand({ storage, design }: Exporting, scope: Scope): Promise<Standing> {
  const { collection } = design.service;
  const place = placeOf(design, scope);
  const known = await storage.collections();
  const indexes = known.find(({ name }) => name === collection)?.indexes ?? [];
  return {
    indexes,
    order: await joiningOrder(storage, scope, collection, indexes),
    read: await storage.cursor(place.read),
    done: await storage.cursor(place.done),
    judged: await storage.cursor(place.judged),
  };
}

/** An export under way. */
interface Writing extends Exporting, Standing {
  readonly scope: Scope;
  readonly withVectors: boolean;
  /** Entries that have their line. */
  readonly written: Set<EntryId>;
}

async function* linesOf(writing: Writing): AsyncGenerator<WrittenLine, void> {
  const { storage, design, clock, scope, withVectors, indexes, order } = writing;
  yield {
    line: "header",
    format: FORMAT,
    version: VERSION,
    exportedAt: momentText(clock.now()),
    scope,
    preset: design.preset.name,
    service: design.service.name,
    collection: design.service.collection,
    vectors: withVectors,
    indexes: indexes.map((index) => ({ name: index.name, kind: index.kind, space: spaceOfIndex(index) })),
  };
  for await (const turn of ownTurns(storage, scope)) yield turnLine(turn, writing);
  for (let at = 0; at < order.length; at += PAGE) yield* entryLines(writing, order.slice(at, at + PAGE));
  yield* edgeLines(writing);
  yield* workLines(writing);
}

function turnLine(turn: Turn, { read, done, judged }: Standing): WrittenLine {
  const { id, session, speaker, role, text, captions, zone, metadata, seq } = turn;
  return {
    ...{ line: "turn", id, session, speaker, role, text, captions: [...captions] },
    happenedAt: momentText(turn.happenedAt),
    zone,
    recordedAt: momentText(turn.recordedAt),
    metadata,
    taken: seq <= (isJudged(turn) ? judged : done),
    shown: !isJudged(turn) && seq > read && seq <= done,
  };
}

async function* entryLines(
  { storage, design, scope, indexes, withVectors, written }: Writing,
  page: readonly Joining[],
): AsyncGenerator<WrittenLine, void> {
  const ids = page.filter(({ isFirst }) => isFirst).map(({ id }) => id);
  const entries = await storage.entries(scope, design.service.collection, ids);
  const spaces = withVectors ? new Set(indexes.flatMap((index) => spaceOfIndex(index) ?? [])) : [];
  const vectors = new Map<EntryId, Vector[]>(ids.map((id) => [id, []]));
  for (const space of spaces) {
    const found = await storage.vectors(scope, space, ids);
    ids.forEach((id, place) => {
      const values = found[place];
      if (values !== undefined) vectors.get(id)?.push({ space, values });
    });
  }
  const there = new Map(
    entries.flatMap((entry) => (entry === undefined ? [] : [[entry.id, entry] as const])),
  );
  for (const { id, isFirst, indexes: joined } of page) {
    const entry = there.get(id);
    if (isFirst && entry !== undefined) {
      written.add(id);
      yield entryLine(entry, joined, vectors.get(id) ?? []);
    } else if (!isFirst && written.has(id)) {
      yield { line: "join", id, indexes: [...joined] };
    }
  }
}

/** Each with the entry it leaves. */
async function* edgeLines({ storage, design, scope, written }: Writing): AsyncGenerator<WrittenLine, void> {
  const ids = [...written];
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = new Set(ids.slice(at, at + PAGE));
    for (const edge of await storage.edges(scope, design.service.collection, [...page])) {
      if (edge.scope !== scope || !page.has(edge.from) || !written.has(edge.to)) continue;
      const { from, to, type, weight, directed, provenance, createdAt } = edge;
      yield { line: "edge", from, to, type, weight, directed, provenance, createdAt: momentText(createdAt) };
    }
  }
}

async function* workLines({ storage, design, scope, written }: Writing): AsyncGenerator<WrittenLine, void> {
  const kind = workKind(design.service.collection);
  const waiting = await storage.jobs.list(scope, { kind, state: "waiting", own: true });
  for (const { id, subject, payload, runAt } of waiting) {
    if (subject === null || !written.has(subject)) continue;
    yield { line: "work", id, entry: subject, payload, runAt: momentText(runAt) };
  }
}
