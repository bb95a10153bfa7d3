/**
 * One stored memory. Content and metadata say what is remembered; `sources` says from what; the observables say how it
 * was used. Energy, heat, retention and strength are computed from the observables by a named policy and never stored,
 * so nothing can decay twice (C-1).
 */
import { z } from "zod";
import { type EntryId, parseEntryId } from "./ids.ts";
import { type JsonObject, jsonObjectSchema } from "./json.ts";
import { momentSchema } from "./moment.ts";
import { parseInput } from "./parse-input.ts";
import type { Scope } from "./scope.ts";
import { checkContent, checkText, checkTexts, labelSchema } from "./text-input.ts";

/** The tier of what is kept out of sight, in no index. No tier of a preset may be called so. */
export const ARCHIVED = "archived";

export interface Observables {
  readonly createdAt: number;
  readonly lastAccessAt: number;
  readonly accessCount: number;
  readonly usefulCount: number;
  /** 0 to 1; null while nobody judged it. */
  readonly importance: number | null;
  readonly strength: number;
  /** Never forgotten by a sweep (SimpleMemory's is_active, C-5). */
  readonly pinned: boolean;
  /** Energy as it was last written, and when; policies decay it from there on read. */
  readonly energyAnchor: EnergyAnchor | null;
  readonly tier: string | null;
}

export interface EnergyAnchor {
  readonly value: number;
  readonly at: number;
}

export interface Entry extends Observables {
  readonly id: EntryId;
  readonly collection: string;
  readonly scope: Scope;
  readonly kind: string;
  readonly content: string;
  /** Why it is believed or kept; "" where nobody said. */
  readonly rationale: string;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  /** When the remembered thing happened (epoch ms) … */
  readonly happenedAt: number;
  /** … and when we learned it. */
  readonly recordedAt: number;
  readonly updatedAt: number;
  /** SHA-256 of the content, for policies that look for exact duplicates. */
  readonly contentHash: string;
  /** Ids of the turns or entries it was made from. */
  readonly sources: readonly string[];
  /** The entry that replaced this one; recall leaves superseded entries out (C-11). */
  readonly supersededBy: EntryId | null;
}

/** The fields a caller may give at insert and change later. */
export interface EntryFields {
  readonly kind?: string | undefined;
  readonly content?: string | undefined;
  readonly rationale?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly happenedAt?: number | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly supersededBy?: EntryId | null | undefined;
  readonly lastAccessAt?: number | undefined;
  readonly accessCount?: number | undefined;
  readonly usefulCount?: number | undefined;
  readonly importance?: number | null | undefined;
  readonly strength?: number | undefined;
  readonly pinned?: boolean | undefined;
  readonly energyAnchor?: EnergyAnchor | null | undefined;
  readonly tier?: string | null | undefined;
}

export interface NewEntry extends EntryFields {
  readonly content: string;
}

const count = z.number().int().min(0);
const patchSchema = z.strictObject({
  kind: labelSchema.optional(),
  content: z.string().optional(),
  rationale: z.string().optional(),
  tags: z.array(labelSchema).max(1000).optional(),
  metadata: jsonObjectSchema.optional(),
  happenedAt: momentSchema.optional(),
  sources: z.array(labelSchema).optional(),
  supersededBy: z
    .custom<EntryId>((value) => typeof value === "string")
    .nullable()
    .optional(),
  lastAccessAt: momentSchema.optional(),
  accessCount: count.optional(),
  usefulCount: count.optional(),
  importance: z.number().min(0).max(1).nullable().optional(),
  strength: z.int32().optional(),
  pinned: z.boolean().optional(),
  energyAnchor: z.strictObject({ value: z.number(), at: momentSchema }).nullable().optional(),
  tier: labelSchema.nullable().optional(),
});

export interface EntryStamp {
  readonly id: EntryId;
  readonly collection: string;
  readonly scope: Scope;
  readonly now: number;
  readonly contentHash: string;
}

export function makeEntry(input: NewEntry, stamp: EntryStamp): Entry {
  const given = checkFields(input);
  const { id, collection, scope, now, contentHash } = stamp;
  return {
    id,
    collection,
    scope,
    kind: given.kind ?? "memory",
    content: checkContent(given.content ?? "", "entry's content"),
    rationale: given.rationale ?? "",
    tags: given.tags ?? [],
    metadata: given.metadata ?? {},
    happenedAt: given.happenedAt ?? now,
    recordedAt: now,
    updatedAt: now,
    contentHash,
    sources: given.sources ?? [],
    supersededBy: given.supersededBy ?? null,
    createdAt: now,
    lastAccessAt: given.lastAccessAt ?? now,
    accessCount: given.accessCount ?? 0,
    usefulCount: given.usefulCount ?? 0,
    importance: given.importance ?? null,
    strength: given.strength ?? 0,
    pinned: given.pinned ?? false,
    energyAnchor: given.energyAnchor ?? null,
    tier: given.tier ?? null,
  };
}

/** A checked change: unknown or ill-typed fields are refused, tags are a set, kept sorted. */
export function checkFields(input: EntryFields): EntryFields {
  const given: EntryFields = parseInput(patchSchema, input, "entry");
  if (given.content !== undefined) checkContent(given.content, "entry's content");
  if (given.rationale !== undefined) checkText(given.rationale, "entry's rationale");
  if (given.metadata !== undefined) checkTexts(given.metadata, "entry's metadata");
  if (typeof given.supersededBy === "string") parseEntryId(given.supersededBy);
  if (given.tags === undefined) return given;
  return { ...given, tags: [...new Set(given.tags.map((tag) => checkContent(tag, "entry's tag")))].sort() };
}
