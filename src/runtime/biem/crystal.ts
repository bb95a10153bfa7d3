/** The crystal (S4-6): facts that were written from groups of memories, and every link as it is kept. */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { currentOnly } from "../list.ts";
import { ownEntries } from "../pages.ts";
import { type Link, linkOf, type NodePlace } from "./memory-node.ts";

export interface CrystalFact {
  readonly id: EntryId;
  readonly content: string;
  /** The memories it was written from. */
  readonly sourceNodeIds: readonly string[];
  /** Mean energy of these when it was written, 0 to 1. */
  readonly confidence: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly metadata: JsonObject;
}

export interface CrystalLink extends Link {
  /** One for each source, target and type: there is no second. */
  readonly id: string;
}

const factSchema = z.looseObject({ confidence: z.number().catch(1) });

export async function factsIn({ running, scope }: NodePlace, tier: string): Promise<CrystalFact[]> {
  const { collection } = running.design.service;
  const filter = where.and(currentOnly, where.eq("tier", tier));
  const facts: CrystalFact[] = [];
  for await (const entry of ownEntries(running.storage, scope, { collection, filter })) {
    const { id, content, sources, createdAt, updatedAt, metadata } = entry;
    const { confidence } = factSchema.parse(metadata);
    facts.push({ id, content, sourceNodeIds: sources, confidence, createdAt, updatedAt, metadata });
  }
  return facts;
}

const PAGE = 500;

export async function allLinks({ running, scope }: NodePlace): Promise<CrystalLink[]> {
  const { storage, design } = running;
  const { collection } = design.service;
  const links = new Map<string, CrystalLink>();
  let ids: EntryId[] = [];
  const read = async (): Promise<void> => {
    for (const edge of await storage.edges(scope, collection, ids)) {
      const id = `${edge.from}/${edge.type}/${edge.to}`;
      links.set(id, { id, ...linkOf(edge) });
    }
    ids = [];
  };
  for await (const { id } of ownEntries(storage, scope, { collection, filter: currentOnly })) {
    ids.push(id);
    if (ids.length === PAGE) await read();
  }
  if (ids.length > 0) await read();
  return [...links.values()];
}
