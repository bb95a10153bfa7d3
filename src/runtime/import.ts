/**
 * A bundle that `export` wrote, into a scope: nothing that is there already comes twice. Memories are restored where the same
 * design is open; for another design the journal is taken in and derived.
 *
 * Nothing is changed before the bundle was read to its end and found whole; what comes as a stream is put aside in a file
 * meanwhile. An import that was stopped half-way is completed by doing it again. Ids stay; where another scope has taken one,
 * a new one is made and every reference follows. Without fitting vectors the embedder at work makes them.
 */
import { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import { throwIfAborted } from "../models/abort.ts";
import { isJudged } from "../pipeline/judgment.ts";
import type { IndexRecord } from "../storage/registry.ts";
import type { Write } from "../storage/storage.ts";
import { type HeaderLine, readLine } from "./bundle/bundle-line.ts";
import { type Contents, ContentsCheck } from "./bundle/contents.ts";
import { type Identities, identify } from "./bundle/identities.ts";
import { spaceOfIndex } from "./bundle/space-of-index.ts";
import { type Spool, spool } from "./bundle/spool.ts";
import { CAUSE, TakingIn } from "./bundle/taking-in.ts";
import { derive } from "./derive.ts";
import { ownEntries, ownTurns } from "./pages.ts";
import { placeOf } from "./place.ts";
import { reembed } from "./reembed.ts";
import type { Running } from "./running.ts";
import { takeBack } from "./take-back.ts";

export interface ImportOptions {
  /** Told now and then, of how many in all. */
  readonly onProgress?: ((lines: number, total: number) => void) | undefined;
  /**
   * What the design has not taken up: journal: it is asked for, and whoever works in the background sees to it; memory: it
   * is waited for. @default memory without a model
   */
  readonly wait?: "journal" | "memory" | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Imported {
  readonly turns: number;
  readonly entries: number;
  readonly edges: number;
  /** Were there already. */
  readonly known: number;
  /** Whether the memories came from the bundle, or are made from its journal. */
  readonly path: "restored" | "derived";
}

const optionsSchema: z.ZodType<ImportOptions> = z.strictObject({
  onProgress: z.custom<ImportOptions["onProgress"]>((value) => typeof value === "function").optional(),
  wait: z.enum(["journal", "memory"]).optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

const PROGRESS = 200;

export async function importBundle(
  running: Running,
  scope: Scope,
  lines: AsyncIterable<string> | Iterable<string>,
  options: ImportOptions = {},
): Promise<Imported> {
  const { worker, isThinking, design } = running;
  const { onProgress, wait, signal } = parseInput(optionsSchema, options, "options of import");
  const check = new ContentsCheck();
  const spooled = await spool(lines, (line) => {
    throwIfAborted(signal, "The import");
    check.see(line);
  });
  try {
    const { waiting, isBare, ...imported } = await worker.beside(scope, signal, (lost) =>
      takeAll(running, scope, spooled, check.end(), { onProgress, signal: lost }),
    );
    if (isBare && design.embedder !== undefined) await reembed(running, scope, { signal });
    if (waiting === 0 || wait === "journal") return imported;
    if (wait === undefined && isThinking) worker.kick();
    else await worker.flush(scope, { finish: false, signal });
    return imported;
  } finally {
    await spooled.close();
  }
}

async function takeAll(
  running: Running,
  scope: Scope,
  spooled: Spool,
  contents: Contents,
  { onProgress, signal }: ImportOptions,
): Promise<Imported & { readonly waiting: number; readonly isBare: boolean }> {
  const { storage, design, worker } = running;
  const { collection } = design.service;
  const known = await storage.collections();
  const indexes = known.find(({ name }) => name === collection)?.indexes ?? [];
  const ids = await identify(storage, scope, collection, contents);
  const isSame = isSameDesign(running, contents.header, indexes);
  const room = (): Promise<number> => makeRoom(running, scope, contents, ids, signal);
  if (isSame) await room();
  const isRestoring = isSame && !(await isDerivedHere(running, scope, contents, ids));
  const place = placeOf(design, scope);
  const deps = { storage, scope, collection, indexes, place, contents, ids, isRestoring, makeRoom: room };
  const taking = new TakingIn(deps);
  let number = 0;
  for await (const text of spooled.lines()) {
    if (text === "") continue;
    throwIfAborted(signal, "The import");
    await taking.take(readLine(text, ++number));
    if (number % PROGRESS === 0) onProgress?.(number, contents.lines);
  }
  const { turns, entries, edges, waiting, lacking } = await taking.end();
  if (waiting > 0) await storage.commit(scope, [worker.ask(scope)], CAUSE);
  onProgress?.(number, number);
  const path = isRestoring ? "restored" : "derived";
  // Also where an import before this one was stopped before their vectors were made.
  const isBare = lacking > 0 || (isRestoring && !hasVectors(contents.header, indexes));
  return { turns, entries, edges, known: ids.known, path, waiting, isBare };
}

function hasVectors(header: HeaderLine, here: readonly IndexRecord[]): boolean {
  const spaces = new Set(here.map(spaceOfIndex));
  return header.indexes.every(({ space }) => space === null || (header.vectors && spaces.has(space)));
}

/** The same collection of the same service, with the same indexes; those over vectors may be of another embedder. */
function isSameDesign({ design }: Running, header: HeaderLine, here: readonly IndexRecord[]): boolean {
  const { name, collection } = design.service;
  if (header.service !== name || header.collection !== collection) return false;
  const shape = (indexes: readonly { readonly name: string; readonly kind: string }[]): string =>
    JSON.stringify(indexes.map((index) => [index.name, index.kind]).sort());
  return (
    shape(header.indexes.filter(({ space }) => space === null)) ===
    shape(here.filter((index) => spaceOfIndex(index) === null))
  );
}

/**
 * What waits in the scope is taken up before anything is put behind it in the journal. If all that waits is of the bundle,
 * brought here by another design's import, and the bundle's memories come, they stand for it: it counts as taken up. Gives
 * the scope's last place in the journal.
 */
async function makeRoom(
  running: Running,
  scope: Scope,
  contents: Contents,
  ids: Identities,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { storage, design } = running;
  const place = placeOf(design, scope);
  // What is half done would be taken back later, and with it all that came since.
  await takeBack(design, storage, scope);
  const [done, judged] = [await storage.cursor(place.done), await storage.cursor(place.judged)];
  const taken = new Set<string>([...contents.taken].map(ids.turn));
  const unread = await Array.fromAsync(ownTurns(storage, scope, Math.min(done, judged)));
  const waiting = unread.filter((turn) => turn.seq > (isJudged(turn) ? judged : done));
  const last = unread.at(-1)?.seq ?? Math.min(done, judged);
  if (waiting.length === 0) return last;
  const isOfBundle = waiting.every(({ id }) => taken.has(id));
  if (isOfBundle && !(await isDerivedHere(running, scope, contents, ids))) {
    const names = [place.read, place.done, place.judged];
    const moves = names.map((name): Write => ({ op: "cursor-put", name, seq: last }));
    await storage.commit(scope, moves, CAUSE);
  } else {
    await derive(design, storage, scope, { finish: true, signal });
  }
  return last;
}

/** Whether the design has made memories of its own of the bundle's turns: then the bundle's would be the same once more. */
async function isDerivedHere(
  { storage, design }: Running,
  scope: Scope,
  { turns, entries }: Contents,
  ids: Identities,
): Promise<boolean> {
  const said = new Set<string>([...turns].filter(ids.isKnown).map(ids.turn));
  if (said.size === 0 || [...entries].every(ids.isKnown)) return false;
  const { collection } = design.service;
  const brought = new Set<string>([...entries].map(ids.entry));
  for await (const { id, sources } of ownEntries(storage, scope, { collection }))
    if (!brought.has(id) && sources.some((source) => said.has(source))) return true;
  return false;
}
