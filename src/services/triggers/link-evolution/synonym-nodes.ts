/** Between whom may synonyms be? Entities where the graph has them, else memories; a scope's own, and public ones to link to. */
import type { Entry } from "../../../base/entry.ts";
import { ARCHIVED } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import type { EntryId } from "../../../base/ids.ts";
import { EDGE, ENTITY, memoriesOnly, NAMES_INDEX } from "../../graph/entity.ts";
import { spaceOf } from "../../vector-fields.ts";
import type { TriggerContext } from "../trigger.ts";
import { contentSpaces, ownMemories } from "./link-policy.ts";

export interface SynonymNodes {
  readonly spaces: readonly string[];
  /** Those to find synonyms for. */
  readonly own: readonly EntryId[];
  /** Public ones that may be synonyms, where the whole scope is asked about. */
  readonly others: readonly EntryId[];
}

const PAGE = 4096;

export async function synonymNodes(
  context: TriggerContext,
  entries: readonly EntryId[] | undefined,
): Promise<SynonymNodes> {
  const { scope, store, deps } = context;
  const hasEntities = (await store.listIndexes()).some(({ name }) => name === NAMES_INDEX);
  const spaces = contentSpaces(deps).map((space) => (hasEntities ? spaceOf(space, ENTITY) : space));
  if (entries !== undefined) {
    const found = hasEntities ? await spokenEntities(context, entries) : await ownMemories(context, entries);
    return { spaces, own: found.filter((node) => node.scope === scope).map(({ id }) => id), others: [] };
  }
  const inSight = await allInSight(context, hasEntities);
  const isOwn = (node: Entry): boolean => node.scope === scope;
  return {
    spaces,
    own: inSight.filter(isOwn).map(({ id }) => id),
    others: inSight.filter((node) => !isOwn(node)).map(({ id }) => id),
  };
}

async function spokenEntities(
  { scope, store }: TriggerContext,
  entries: readonly EntryId[],
): Promise<readonly Entry[]> {
  const given = new Set(entries);
  const edges = await store.edges(scope, entries);
  const spoken = edges.filter(({ type, from }) => type === EDGE.contains && given.has(from));
  // An item of the status queue names the entity itself.
  const nodes = await store.getMany(scope, [...new Set([...entries, ...spoken.map(({ to }) => to)])]);
  return nodes.filter((node) => node !== undefined).filter(({ kind }) => kind === ENTITY);
}

async function allInSight({ scope, store }: TriggerContext, entities: boolean): Promise<Entry[]> {
  const current = where.and(where.eq("supersededBy", null), where.not(where.eq("tier", ARCHIVED)));
  const filter = where.and(current, entities ? where.eq("kind", ENTITY) : memoriesOnly);
  const found: Entry[] = [];
  for (let after: EntryId | undefined; ; ) {
    const page = await store.scan(scope, { filter, after, limit: PAGE });
    found.push(...page);
    if (page.length < PAGE) return found;
    after = page.at(-1)?.id;
  }
}
