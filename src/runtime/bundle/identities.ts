/**
 * Under which id does each thing of a bundle stand here? Under its own, if that is free or is this very thing, imported
 * before. An id that another scope has taken gets a new ending, always the same for the same scope: so an import that is
 * done again finds what it brought. A node of the graph is the one that the scope has of that kind and name already.
 */
import { hash } from "node:crypto";
import { where } from "../../base/filter.ts";
import { type EntryId, isEntryId, parseEntryId, parseTurnId, type TurnId } from "../../base/ids.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Scope } from "../../base/scope.ts";
import { ENTITY, FACT } from "../../services/graph/entity.ts";
import type { Storage } from "../../storage/storage.ts";
import { ownEntries } from "../pages.ts";
import { type Contents, nodeKey } from "./contents.ts";

export interface Identities {
  turn(id: string): TurnId;
  entry(id: string): EntryId;
  /** Whether it is here already: an id of the bundle. */
  isKnown(id: string): boolean;
  readonly known: number;
  /** The same with every id in it as it is here. */
  renamed(text: string): string;
  renamedIn(value: JsonObject): JsonObject;
}

const PAGE = 1000;
/** The last digits of an id are chance; what is before them is time and order, which stay. */
const ENDING = 10;

export async function identify(
  storage: Storage,
  scope: Scope,
  collection: string,
  { turns, entries, nodes }: Pick<Contents, "turns" | "entries" | "nodes">,
): Promise<Identities> {
  const known = new Set<string>();
  const renames = new Map<string, string>();
  const settle = async (
    ids: ReadonlySet<string>,
    place: string,
    ownAmong: (ids: readonly string[]) => Promise<Set<string>>,
  ): Promise<void> => {
    const all = [...ids];
    for (let at = 0; at < all.length; at += PAGE) {
      const page = all.slice(at, at + PAGE);
      const own = await ownAmong(page);
      const taken = await storage.taken(page);
      const others = page.filter((id) => taken.has(id) && !own.has(id));
      for (const id of others) renames.set(id, otherId(id, place));
      const before = await ownAmong(others.map((id) => renames.get(id) ?? id));
      for (const id of page) if (own.has(id) || before.has(renames.get(id) ?? id)) known.add(id);
    }
  };
  await settle(turns, scope, async (ids) => {
    const wanted = { ids: ids.map(parseTurnId), limit: ids.length };
    const found = await storage.turns(scope, wanted);
    return new Set(found.filter((turn) => turn.scope === scope).map(({ id }) => id));
  });
  await settle(entries, `${scope} ${collection}`, async (ids) => {
    const found = await storage.entries(scope, collection, ids.map(parseEntryId));
    return new Set(found.flatMap((entry) => (entry?.scope === scope ? [entry.id] : [])));
  });
  const here = nodes.size === 0 ? new Map<string, EntryId>() : await nodesHere(storage, scope, collection);
  for (const [id, key] of nodes) {
    const same = here.get(key);
    if (same === undefined || known.has(id)) continue;
    renames.set(id, same);
    known.add(id);
  }
  const renamed = (text: string): string => renames.get(text) ?? text;
  return {
    turn: (id) => parseTurnId(renamed(id)),
    entry: (id) => parseEntryId(renamed(id)),
    isKnown: (id) => known.has(id),
    known: known.size,
    renamed,
    renamedIn: (value) => (renames.size === 0 ? value : objectWith(value, renamed)),
  };
}

async function nodesHere(storage: Storage, scope: Scope, collection: string): Promise<Map<string, EntryId>> {
  const found = new Map<string, EntryId>();
  const filter = where.in("kind", [ENTITY, FACT]);
  for await (const entry of ownEntries(storage, scope, { collection, filter }))
    found.set(nodeKey(entry), entry.id);
  return found;
}

function otherId(id: string, place: string): string {
  return `${id.slice(0, -ENDING)}${hash("sha256", `${place} ${id}`).slice(0, ENDING)}`;
}

function objectWith(value: JsonObject, renamed: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, valueWith(part, renamed)]));
}

function valueWith(value: Json, renamed: (text: string) => string): Json {
  if (typeof value === "string") return isEntryId(value) ? renamed(value) : value;
  if (Array.isArray(value)) return value.map((part: Json) => valueWith(part, renamed));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, valueWith(part, renamed)]));
}
