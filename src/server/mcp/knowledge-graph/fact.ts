/**
 * How does a graph live in a memory? As facts, each a judged memory: that there is an entity, what was observed of one, how
 * two relate. Each is worded so that recall finds it like anything else that is known, and carries what it says as fields,
 * so that the graph can be read back to the letter, whatever stands in a name.
 */
import { z } from "zod";
import { labelSchema } from "../../../base/text-input.ts";
import type { Turn } from "../../../base/turn.ts";
import { judgmentOf } from "../../../pipeline/judgment.ts";
import type { JudgedMemory } from "../../../runtime/judged-memory.ts";
import { type Entity, type KnowledgeGraph, type Relation, relationKey } from "./graph.ts";

/** All of them are said in one conversation of their own, by which they are found again. */
export const GRAPH_SESSION = "knowledge-graph";

const factSchema = z.discriminatedUnion("fact", [
  z.object({ fact: z.literal("entity"), name: z.string(), entityType: z.string() }),
  z.object({ fact: z.literal("observation"), name: z.string(), observation: z.string() }),
  z.object({ fact: z.literal("relation"), from: z.string(), to: z.string(), relationType: z.string() }),
]);
export type Fact = z.infer<typeof factSchema>;

const ownSchema = z.object({ graph: factSchema });

export function factOf(turn: Pick<Turn, "metadata">): Fact | undefined {
  return ownSchema.safeParse(judgmentOf(turn)?.own).data?.graph;
}

/** A graph has many: none is kept from being forgotten by a design that forgets. */
export function judgedFact(fact: Fact): JudgedMemory {
  const tags = namesIn(fact).filter((name) => labelSchema.safeParse(name).success && name.trim() !== "");
  return {
    judgment: sentenceOf(fact),
    type: "knowledge",
    tags,
    pinned: false,
    session: GRAPH_SESSION,
    metadata: { graph: fact },
  };
}

export function entityFacts({ name, entityType, observations }: Entity): Fact[] {
  return [{ fact: "entity", name, entityType }, ...observationFacts(name, observations)];
}

export function observationFacts(name: string, observations: readonly string[]): Fact[] {
  return [...new Set(observations)].map((observation) => ({ fact: "observation", name, observation }));
}

export function relationFact({ from, to, relationType }: Relation): Fact {
  return { fact: "relation", from, to, relationType };
}

/** The entities that it speaks of. */
export function namesIn(fact: Fact): readonly string[] {
  return fact.fact === "relation" ? [fact.from, fact.to] : [fact.name];
}

function sentenceOf(fact: Fact): string {
  if (fact.fact === "entity") return `${fact.name}: ${fact.entityType}`;
  if (fact.fact === "observation") return `${fact.name}: ${fact.observation}`;
  return `${fact.from} ${fact.relationType.replaceAll("_", " ")} ${fact.to}`;
}

/**
 * What they say together. The first word on an entity's type holds; what is said twice counts once; what was observed of
 * nothing that exists is not shown.
 */
export function graphOf(facts: readonly Fact[]): KnowledgeGraph {
  const types = new Map<string, string>();
  const seen = new Map<string, Set<string>>();
  const relations = new Map<string, Relation>();
  for (const one of facts) {
    if (one.fact === "entity") {
      if (!types.has(one.name)) types.set(one.name, one.entityType);
    } else if (one.fact === "observation") {
      const observations = seen.get(one.name) ?? new Set();
      seen.set(one.name, observations.add(one.observation));
    } else {
      const { from, to, relationType } = one;
      const relation = { from, to, relationType };
      relations.set(relationKey(relation), relation);
    }
  }
  return {
    entities: [...types].map(([name, entityType]) => ({
      name,
      entityType,
      observations: [...(seen.get(name) ?? [])],
    })),
    relations: [...relations.values()],
  };
}
