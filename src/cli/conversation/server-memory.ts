/**
 * The graph of the MCP reference server for memory, as talk: every observation and every relation is a memory that was judged
 * already; as many as a graph has of them, none is pinned.
 */
import type { NewTurn } from "../../base/turn.ts";
import { judgedTurn } from "../../runtime/judged-memory.ts";
import type { Entity, Relation } from "../../server/mcp/knowledge-graph/graph.ts";
import type { Conversation } from "./conversation.ts";
import { foreignName, foreignText } from "./foreign-text.ts";
import { readGraph } from "./graph-file.ts";

/** `whole`: the file as one JSON value, if it is one; `name`: the memories' session. */
export function readServerMemory(text: string, whole: unknown, file: string, name: string): Conversation[] {
  const { entities, relations } = readGraph(text, whole, file);
  const turns = [...entities.flatMap(ofEntity), ...relations.flatMap(ofRelation)];
  return [{ name: "", turns: turns.map((turn) => ({ ...turn, session: name })) }];
}

function ofEntity({ name, entityType, observations }: Entity): NewTurn[] {
  // Of what nobody observed anything it is known what it is.
  const known = observations.length === 0 ? [entityType] : observations;
  return known.flatMap((observation) => judged(`${name}: ${observation}`, [name, entityType]));
}

function ofRelation({ from, to, relationType }: Relation): NewTurn[] {
  return judged(`${from} ${relationType.replaceAll("_", " ")} ${to}`, [from, to]);
}

function judged(text: string, tags: readonly string[]): NewTurn[] {
  const judgment = foreignText(text);
  if (judgment === "") return [];
  const names = tags.map(foreignName).filter((tag) => tag !== "");
  return [judgedTurn({ judgment, type: "knowledge", tags: names, pinned: false })];
}
