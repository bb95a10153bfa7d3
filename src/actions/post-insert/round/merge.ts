/**
 * One entry in place of several: it says what they said, comes from all that they came from, and keeps what they had
 * earned. It is stored actively (S0-20) and placed as the new one was, so the service has nothing left to ask.
 */
import type { Entry } from "../../../base/entry.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import type { Vector } from "../../../base/vector.ts";
import type { PostInsertContext } from "../../../pipeline/action.ts";
import type { ServiceInsert } from "../../../services/service.ts";
import { CONTENT } from "../../../services/vector-fields.ts";
import { metadataWithout, OF_ONE_TEXT } from "../../memory-insert/of-one-text.ts";
import { distinct } from "../../pre-insert/recast.ts";

export interface Merging {
  readonly text: string;
  /** What is embedded; unsaid: the text. */
  readonly embedText?: string | undefined;
  /** The one that was just inserted. */
  readonly fresh: ServiceInsert;
  /** Those before it that it is merged with. */
  readonly known: readonly Entry[];
  readonly kind: string | undefined;
  /** The vector fields it is to be found by, as `fieldsOf` the new one tells. */
  readonly fields: readonly string[];
}

export async function mergedEntry(
  { text, embedText = text, fresh, known, kind, fields }: Merging,
  context: Pick<PostInsertContext, "embed" | "now">,
): Promise<ServiceInsert> {
  const importances = [fresh, ...known].flatMap(({ importance }) => importance ?? []);
  return {
    kind,
    content: text,
    rationale: fresh.rationale,
    tags: union([...known, fresh].map(({ tags }) => tags ?? [])),
    metadata: mergeMetadata(known, fresh),
    sources: union([...known, fresh].map(({ sources }) => sources ?? [])),
    happenedAt: Math.max(fresh.happenedAt ?? context.now, ...known.map(({ happenedAt }) => happenedAt)),
    importance: importances.length === 0 ? null : Math.max(...importances),
    strength: Math.max(fresh.strength ?? 0, ...known.map(({ strength }) => strength)),
    accessCount: sum([fresh, ...known].map(({ accessCount }) => accessCount ?? 0)),
    usefulCount: sum([fresh, ...known].map(({ usefulCount }) => usefulCount ?? 0)),
    pinned: [fresh, ...known].some(({ pinned }) => pinned === true),
    vectors: [...(await embedIn(fields, embedText, context)), ...(fresh.vectors ?? []).filter(isMeasure)],
    insertMode: "active",
    insertParams: fresh.insertParams,
  };
}

/** The fields that an embedder filled. */
export function fieldsOf(vectors: readonly Vector[]): string[] {
  const texts = vectors.filter((vector) => !isMeasure(vector));
  return [...new Set(texts.map(({ space }) => space.split("#")[1] ?? CONTENT))];
}

/** A measure, which no embedder makes, is the new entry's own. */
function isMeasure({ space }: Vector): boolean {
  return space.startsWith("#");
}

async function embedIn(
  fields: readonly string[],
  text: string,
  { embed }: Pick<PostInsertContext, "embed">,
): Promise<Vector[]> {
  const made: Vector[] = [];
  for (const field of fields) {
    const [vector] = await embed([text], field);
    if (vector !== undefined) made.push(vector);
  }
  return made;
}

/** What the new one states, the merged one states, too. */
const OF_THE_NEW = OF_ONE_TEXT.filter((name) => name !== "triples" && name !== "mentions");
/** What an old text states may no longer hold; the others were done to an old entry. */
const OF_THE_OLD = [...OF_ONE_TEXT, "evolved", "migrated_at"];

/** What the new one says counts; lists from all of them are put together. */
function mergeMetadata(known: readonly Entry[], fresh: ServiceInsert): JsonObject {
  const merged: Record<string, Json> = {};
  const said = known.map(({ metadata }) => metadataWithout(metadata, OF_THE_OLD));
  for (const metadata of [...said, metadataWithout(fresh.metadata ?? {}, OF_THE_NEW)]) {
    for (const [key, value] of Object.entries(metadata)) {
      const before = merged[key];
      merged[key] = Array.isArray(before) && Array.isArray(value) ? distinct([...before, ...value]) : value;
    }
  }
  return merged;
}

function union<T>(lists: readonly (readonly T[])[]): T[] {
  return [...new Set(lists.flat())];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
