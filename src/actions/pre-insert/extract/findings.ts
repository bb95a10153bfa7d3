/** What was read out of a draft, and where it is put: under its names in the metadata, or among the tags. */
import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import { labelSchema } from "../../../base/text-input.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { mergeMetadata } from "../recast.ts";

export interface Findings {
  readonly metadata: JsonObject;
  /** The same as terms that entries can be found by. */
  readonly terms: readonly string[];
}

export const addToMetadata = z
  .boolean()
  .describe("Whether what was found stands in the metadata under its own name; if not, it becomes tags.");

export function withMetadata(draft: Draft, found: JsonObject): Draft {
  return { ...draft, metadata: { ...mergeMetadata([draft.metadata ?? {}, found]), ...scalarsOf(found) } };
}

export function withTags(draft: Draft, terms: readonly string[]): Draft {
  const labels = terms.filter((term) => labelSchema.safeParse(term).success);
  return { ...draft, tags: [...new Set([...(draft.tags ?? []), ...labels])] };
}

export function withFindings(draft: Draft, { metadata, terms }: Findings, inMetadata: boolean): Draft {
  return inMetadata ? withMetadata(draft, metadata) : withTags(draft, terms);
}

/** What is no list is replaced by what was found last. */
function scalarsOf(found: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => !Array.isArray(value)));
}
