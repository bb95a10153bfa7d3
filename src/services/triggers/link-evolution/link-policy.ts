/** One way for links to change, chosen by `link_policy`. Run twice with nothing new in between, it changes nothing. */
import type { Entry } from "../../../base/entry.ts";
import { ARCHIVED } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { Vector } from "../../../base/vector.ts";
import { isNode, memoriesOnly } from "../../graph/entity.ts";
import { CONTENT } from "../../vector-fields.ts";
import { ownEntries } from "../own-entries.ts";
import type { TriggerContext } from "../trigger.ts";

export interface LinkPolicyReport {
  readonly examined: number;
  /** Edges made, changed or dropped. */
  readonly edges: number;
  /** What was done besides, or why nothing was. */
  readonly reason?: string | undefined;
}

export type LinkPolicy<Options> = (
  context: TriggerContext,
  options: Options,
  entries: readonly EntryId[] | undefined,
) => Promise<LinkPolicyReport>;

/** The scope's own memories that are in recall: those given, or all. */
export async function ownMemories(
  context: TriggerContext,
  entries: readonly EntryId[] | undefined,
): Promise<readonly Entry[]> {
  if (entries === undefined) return ownEntries(context, memoriesOnly);
  const found = await context.store.getMany(context.scope, entries);
  return found.filter((entry) => entry !== undefined).filter((entry) => isCurrent(entry, context));
}

function isCurrent({ scope, kind, supersededBy, tier }: Entry, context: TriggerContext): boolean {
  return scope === context.scope && !isNode(kind) && supersededBy === null && tier !== ARCHIVED;
}

/** The vectors of an entry's content, one per space it has one in. */
export async function contentVectors(
  { scope, store, deps }: TriggerContext,
  id: EntryId,
): Promise<readonly Vector[]> {
  const found: Vector[] = [];
  for (const space of contentSpaces(deps)) {
    const [values] = await store.vectors(scope, space, [id]);
    if (values !== undefined) found.push({ space, values });
  }
  return found;
}

export function contentSpaces({ fields }: TriggerContext["deps"]): readonly string[] {
  const spaces = fields.find(({ name }) => name === CONTENT)?.spaces ?? [];
  return spaces.map(({ space }) => space);
}
