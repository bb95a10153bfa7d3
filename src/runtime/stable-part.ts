/**
 * Who is served, and what must never be forgotten? What of a memory belongs into every prompt, most important first: what
 * was pinned; what designs keep of a person as a whole (MemGPT's core blocks, MemoryOS' profile and knowledge, MemoryBank's
 * portraits, LD-Agent's persona); and what proved useful. The order is the same whenever it is asked for.
 */
import { z } from "zod";
import { longestPortraits, printPortrait } from "../actions/post-retrieval/augment/portrait.ts";
import type { Entry } from "../base/entry.ts";
import { type Filter, where } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import { CORE_BLOCK } from "../services/memory-pages.ts";
import { PROFILE, USER_KNOWLEDGE } from "../services/triggers/migrate/segments/segment.ts";
import { oneLine } from "../tasks/dialogue.ts";
import { plainText } from "../tasks/rules/statement.ts";
import { currentOnly } from "./list.ts";
import type { Running } from "./running.ts";

export interface StableLine {
  readonly id: EntryId;
  readonly text: string;
}

/** Of each sort so many are read at most; none of the prompts it is for has room for more. */
const MOST = 1000;

export async function stableLines(
  { storage, design }: Pick<Running, "storage" | "design">,
  scope: Scope,
  filter: Filter | undefined,
): Promise<StableLine[]> {
  const read = (limit: number, ...wanted: readonly Filter[]): Promise<Entry[]> =>
    storage.newest(scope, {
      collection: design.service.collection,
      filter: where.and(currentOnly, ...wanted, ...(filter === undefined ? [] : [filter])),
      limit,
    });
  // Each read walks the whole scope: what there is little of is read at once, and not with what there may be much of.
  const kinds = [CORE_BLOCK, PROFILE, USER_KNOWLEDGE];
  const kept = await read(
    MOST * (1 + kinds.length),
    where.or(where.eq("pinned", true), where.in("kind", kinds)),
  );
  const useful = await read(MOST, where.range("usefulCount", { gt: 0 }));
  const newest = await read(MOST);
  const ofKind = (wanted: string): Entry[] => kept.filter(({ kind }) => kind === wanted);
  return distinct([
    ...kept
      .filter(({ pinned }) => pinned)
      .sort(strongestFirst)
      .map(asLine),
    ...ofKind(CORE_BLOCK).sort(byLabel).map(asLine),
    ...ofKind(PROFILE).map(asLine),
    ...portraitLines(newest),
    ...newest.toReversed().flatMap(personaLines),
    ...ofKind(USER_KNOWLEDGE).map(asLine),
    ...useful.sort(strongestFirst).map(asLine),
  ]);
}

function asLine({ id, content, metadata }: Entry): StableLine {
  const { label } = metadata;
  const said = content.replaceAll("\n", "; ");
  return { id, text: typeof label === "string" ? `${label}: ${said}` : said };
}

function portraitLines(entries: readonly Entry[]): StableLine[] {
  return longestPortraits(entries).flatMap(({ entry: { id }, portrait }) =>
    printPortrait(portrait).map((text) => ({ id, text })),
  );
}

const personaSchema = z.array(z.object({ speaker: z.string(), text: z.string() })).catch([]);

function personaLines({ id, metadata }: Entry): StableLine[] {
  return personaSchema.parse(metadata.persona).map(({ speaker, text }) => ({
    id,
    text: speaker === "" ? text : `${speaker}: ${text}`,
  }));
}

function strongestFirst(a: Entry, b: Entry): number {
  return (
    b.strength - a.strength ||
    b.usefulCount - a.usefulCount ||
    (b.importance ?? 0) - (a.importance ?? 0) ||
    byId(a, b)
  );
}

function byLabel(a: Entry, b: Entry): number {
  const [one, other] = [String(a.metadata.label), String(b.metadata.label)];
  return one === other ? byId(a, b) : one < other ? -1 : 1;
}

function byId(a: Entry, b: Entry): number {
  return a.id < b.id ? -1 : 1;
}

/** Nothing is said twice. */
function distinct(lines: readonly StableLine[]): StableLine[] {
  const said = new Set<string>();
  return lines.flatMap(({ id, text }) => {
    const key = plainText(text);
    if (said.has(key)) return [];
    said.add(key);
    return [{ id, text: oneLine(text).trim() }];
  });
}
