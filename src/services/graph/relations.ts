/**
 * Edges between entities, counted: the weight of a relation is how many memories state it, and its provenance keeps what
 * they call it ("relation: lives in; 住在"). A memory that goes takes its count along.
 */
import type { Edge, NewEdge } from "../../base/edge.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import { EDGE } from "./entity.ts";
import { knowledgeOf, type Statement } from "./triples.ts";

const PREFIX = "relation: ";
/** Labels, as provenances are, have at most so many characters. */
const LONGEST = 256;

/** The relation names an edge keeps. */
export function relationNames(edge: Pick<Edge, "provenance">): string[] {
  if (!edge.provenance.startsWith(PREFIX)) return [];
  return edge.provenance.slice(PREFIX.length).split("; ");
}

function keptAs(relations: readonly string[]): string {
  return `${PREFIX}${[...new Set(relations.map(plain))].filter((name) => name !== "").join("; ")}`
    .slice(0, LONGEST)
    .toWellFormed()
    .trim();
}

function plain(relation: string): string {
  return relation.replace(/[\p{Cc};]+/gu, " ").trim();
}

/** The edges of one more memory's statements, on top of those that are there. */
export function addStatements(
  statements: readonly Statement[],
  idOf: (name: string) => EntryId,
  there: readonly Edge[],
  directed: boolean,
): NewEdge[] {
  return statements.map(({ subject, object, relations }) => {
    const [from, to] = [idOf(subject), idOf(object)];
    const old = there.find((edge) => edge.from === from && edge.to === to && edge.type === EDGE.relation);
    const names = [...(old === undefined ? [] : relationNames(old)), ...relations];
    return {
      from,
      to,
      type: EDGE.relation,
      weight: (old?.weight ?? 0) + 1,
      directed,
      provenance: keptAs(names),
    };
  });
}

/** Counts the relations between some entities again, after a memory that spoke of them is gone. */
export async function recountRelations(
  store: Collection,
  scope: Scope,
  entities: readonly EntryId[],
): Promise<void> {
  const edges = (await store.edges(scope, entities)).filter((edge) => edge.scope === scope);
  const among = new Set(entities);
  const relations = edges.filter(
    ({ type, from, to }) => type === EDGE.relation && among.has(from) && among.has(to),
  );
  if (relations.length === 0) return;
  const nodes = await store.getMany(scope, entities);
  const nameOf = new Map(
    nodes.flatMap((node) => (node === undefined ? [] : [[node.id, node.metadata.name]])),
  );
  const speakers = edges
    .filter(({ type, to }) => type === EDGE.contains && among.has(to))
    .map(({ from }) => from);
  const memories = await store.getMany(scope, [...new Set(speakers)]);
  const stated = memories.flatMap((memory) => knowledgeOf(memory?.metadata).statements);
  const gone: Edge[] = [];
  const changed: NewEdge[] = [];
  for (const edge of relations) {
    const still = stated.filter(
      ({ subject, object }) => subject === nameOf.get(edge.from) && object === nameOf.get(edge.to),
    );
    const provenance = keptAs(still.flatMap((statement) => statement.relations));
    if (still.length === 0) gone.push(edge);
    else if (still.length !== edge.weight || provenance !== edge.provenance) {
      const { from, to, type, directed } = edge;
      changed.push({ from, to, type, directed, weight: still.length, provenance });
    }
  }
  const by = { cause: "relations counted again" };
  await store.unlink(scope, gone, by);
  await store.link(scope, changed, by);
}
