/**
 * Edges between entities, counted: the weight of a relation is how many facts of how many memories state it (HippoRAG), and its provenance keeps what
 * they call it ("relation: lives in; 住在"). A memory that goes takes its count along.
 */
import type { Edge, NewEdge } from "../../base/edge.ts";
import type { Entry } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Scope } from "../../base/scope.ts";
import type { Collection } from "../../collection/collection.ts";
import type { EdgeChange } from "../../collection/requests.ts";
import { EDGE, type Normaliser } from "./entity.ts";
import type { Spoken } from "./orphans.ts";
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
  return statements.map(({ subject, object, relations, facts }) => {
    const [from, to] = [idOf(subject), idOf(object)];
    const old = there.find((edge) => edge.from === from && edge.to === to && edge.type === EDGE.relation);
    const names = [...(old === undefined ? [] : relationNames(old)), ...relations];
    return {
      from,
      to,
      type: EDGE.relation,
      weight: (old?.weight ?? 0) + facts,
      directed,
      provenance: keptAs(names),
    };
  });
}

/**
 * What becomes of the relations that a memory states when it goes: each counts one less, and what only it called them is
 * forgotten. Entities that go with the memory take their relations along.
 */
export async function takeBackStatements(
  store: Collection,
  scope: Scope,
  memory: Pick<Entry, "id" | "metadata">,
  shared: Spoken["shared"],
  normaliser: Normaliser,
): Promise<Required<EdgeChange>> {
  const nodeOf = new Map(shared.map((one) => [String(one.node.metadata.name), one]));
  const stated = knowledgeOf(memory.metadata, normaliser).statements.flatMap((statement) => {
    const [subject, object] = [nodeOf.get(statement.subject), nodeOf.get(statement.object)];
    return subject === undefined || object === undefined ? [] : [{ statement, subject, object }];
  });
  const unlink: Edge[] = [];
  const link: NewEdge[] = [];
  for (const { statement, subject, object } of stated) {
    const key = { from: subject.node.id, to: object.node.id, type: EDGE.relation };
    const [edge] = await store.ownEdges(scope, [key]);
    if (edge === undefined) continue;
    const weight = edge.weight - statement.facts;
    if (weight < 1) {
      unlink.push(edge);
      continue;
    }
    const names = relationNames(edge);
    // One name stays whoever goes; of several, the others tell which. They are looked for at the end that fewer speak of.
    const rarer = subject.speakers < object.speakers ? subject.node.id : object.node.id;
    const kept =
      names.length < 2
        ? names
        : await namesStated(store, scope, { rarer, statement, but: memory.id, normaliser });
    link.push({ ...key, directed: edge.directed, weight, provenance: keptAs(kept) });
  }
  return { link, unlink };
}

/** What the memories that speak of an entity call a relation, one of them apart. */
async function namesStated(
  store: Collection,
  scope: Scope,
  asked: {
    readonly rarer: EntryId;
    readonly statement: Statement;
    readonly but: EntryId;
    readonly normaliser: Normaliser;
  },
): Promise<string[]> {
  const { rarer, statement, but, normaliser } = asked;
  const edges = await store.edges(scope, [rarer]);
  const speakers = edges.filter(
    ({ type, to, from }) => type === EDGE.contains && to === rarer && from !== but,
  );
  const memories = await store.getMany(scope, [...new Set(speakers.map(({ from }) => from))]);
  return memories
    .flatMap((one) => knowledgeOf(one?.metadata, normaliser).statements)
    .filter(({ subject, object }) => subject === statement.subject && object === statement.object)
    .flatMap(({ relations }) => relations);
}
