/**
 * Which vectors hold a share of what was said just before? Where an action of the design leans on the turns before a window
 * (its claim `turnsBefore`), a turn that is erased lives on in the vector of the next one: such vectors go with it, and are
 * made anew of what is left, as if the turn had never been said.
 */
import type { Entry } from "../base/entry.ts";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { isJudged } from "../pipeline/judgment.ts";
import { turnsShown } from "../pipeline/windows.ts";
import type { Preset } from "../preset/preset.ts";
import { CONTENT } from "../services/vector-fields.ts";
import type { Write } from "../storage/storage.ts";
import { embeddedTextOf } from "./embedded-text.ts";
import { fieldOf, knownSpaces } from "./known-spaces.ts";
import { placeOf } from "./place.ts";
import { openReblend } from "./reblend.ts";
import type { Running } from "./running.ts";

export interface Erasing {
  /** The scope's own, in the order they were said. */
  readonly said: readonly Turn[];
  /** Ids of those that go. */
  readonly gone: ReadonlySet<string>;
}

/** Of these memories those that were made while another turn was shown before theirs than will be. */
export function leaningOn({ stages }: Preset, { said, gone }: Erasing, entries: readonly Entry[]): Entry[] {
  const shown = Math.max(0, ...stages.pre_insert.map(({ claims }) => claims.turnsBefore ?? 0));
  if (shown === 0 || gone.size === 0) return [];
  const talk = said.filter((turn) => !isJudged(turn));
  const [was, will] = [talk, talk.filter(({ id }) => !gone.has(id))].map((turns) =>
    turnsBefore(turns, shown),
  );
  const isOther = (id: string): boolean => !gone.has(id) && was?.get(id) !== will?.get(id);
  return entries.filter(({ sources }) => sources.some(isOther));
}

/** By turn: the ids of those said before it, as far as they are of its session. */
function turnsBefore(turns: readonly Turn[], most: number): ReadonlyMap<string, string> {
  return new Map(
    turns.map(({ id, session }, place) => {
      const before = turns.slice(Math.max(0, place - most), place);
      const other = before.findLastIndex((turn) => turn.session !== session);
      return [
        id,
        before
          .slice(other + 1)
          .map((turn) => turn.id)
          .join(" "),
      ];
    }),
  );
}

/** All spaces that vectors of a memory's content may be kept in, by whichever embedder. */
export async function contentSpaces({ storage, design }: Running): Promise<string[]> {
  const known = await knownSpaces(storage, design.service.collection);
  const now = (design.embedder?.spaces ?? []).map(({ space }) => space);
  return [...new Set([...known, ...now])].filter((space) => fieldOf(space) === CONTENT);
}

/** Those that have a vector of the embedder at work. What only an older one had embedded waits for `reembed` as it did. */
export async function embeddedNow(
  { storage, design }: Running,
  scope: Scope,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const ids = entries.map(({ id }) => id);
  const has = new Set<EntryId>();
  for (const { space } of design.embedder?.spaces ?? []) {
    const vectors = await storage.vectors(scope, space, ids);
    for (const [place, id] of ids.entries()) if (vectors[place] !== undefined) has.add(id);
  }
  return entries.filter(({ id }) => has.has(id));
}

/** What comes next is shown as many turns before it as if those that go had never been said. */
export async function shownNext(
  { storage, design }: Running,
  scope: Scope,
  { said, gone }: Erasing,
): Promise<Write[]> {
  const place = placeOf(design, scope);
  const [read, done] = [await storage.cursor(place.read), await storage.cursor(place.done)];
  if (!said.some(({ id, seq }) => gone.has(id) && seq > read && seq <= done)) return [];
  const left = said.filter((turn) => turn.seq <= done && !gone.has(turn.id) && !isJudged(turn));
  const last = left.at(-1 - turnsShown(design.preset.input.window));
  return [{ op: "cursor-put", name: place.read, seq: last?.seq ?? 0 }];
}

/** Entries that are embedded and committed together. */
const BATCH = 128;
const CAUSE = { actor: "runtime", cause: "forget" } as const;

/**
 * Gives them vectors of what the journal still holds; how many got one. What cannot be blended again, for it was reworded, is
 * embedded by its own text. What fails is left to `reembed`.
 */
export async function embedAnew(running: Running, scope: Scope, entries: readonly Entry[]): Promise<number> {
  const { storage, design, trace } = running;
  const { embedder } = design;
  const { collection } = design.service;
  if (embedder === undefined || entries.length === 0) return 0;
  const vectorsOf = openVectors(running, scope, embedder);
  let made = 0;
  try {
    for (let from = 0; from < entries.length; from += BATCH) {
      const puts = await vectorsOf(entries.slice(from, from + BATCH));
      // One that was deleted meanwhile must not keep the others from theirs.
      const there = await storage.entries(
        scope,
        collection,
        puts.map(({ id }) => id),
      );
      const writes = puts.filter((_, place) => there[place] !== undefined);
      await storage.commit(scope, writes, CAUSE, { collection });
      made += writes.length;
    }
  } catch (error) {
    const code = MemoryError.is(error) ? error.code : "invariant";
    const message = `Vectors that held a share of what was forgotten are gone and were not made anew: ${error}. Valid: reembed, when the embedder answers.`;
    trace({ type: "warning-raise", code, message });
  }
  return made;
}

type VectorPut = Extract<Write, { readonly op: "vector-put" }>;

function openVectors(
  { storage, design }: Running,
  scope: Scope,
  embedder: EmbedderSet,
): (entries: readonly Entry[]) => Promise<VectorPut[]> {
  const textOf = embeddedTextOf(design.preset);
  const reblend = openReblend(design.preset, storage, scope);
  const embed = (texts: readonly string[]) => embedder.embedDocuments(texts, { scope });
  return async (entries) => {
    const asked = entries.flatMap((entry) => {
      const text = textOf(entry, CONTENT);
      return "text" in text ? [{ entry, text: text.text }] : [];
    });
    const vectors = await reblend(asked, embed);
    const others = asked.filter((one) => !vectors.has(one));
    const alone = others.length === 0 ? [] : await embed(others.map(({ text }) => text));
    for (const [place, one] of others.entries()) vectors.set(one, alone[place]);
    return [...vectors].flatMap(([{ entry }, vector]): VectorPut[] =>
      vector === undefined ? [] : [{ op: "vector-put", id: entry.id, vector }],
    );
  };
}
