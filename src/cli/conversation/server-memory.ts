/**
 * The file of the MCP reference server for memory: a line per entity, {"type": "entity", "name", "entityType",
 * "observations"}, and per relation, {"type": "relation", "from", "to", "relationType"}; or the whole graph, {"entities",
 * "relations"}. Every observation and every relation is a memory that was judged already; as many as a graph has of them,
 * none is pinned.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { NewTurn } from "../../base/turn.ts";
import { judgedTurn } from "../../runtime/judged-memory.ts";
import type { Conversation } from "./conversation.ts";
import { foreignName, foreignText } from "./foreign-text.ts";
import { readJsonLine } from "./json-line.ts";

const entitySchema = z.object({
  name: z.string(),
  entityType: z.string(),
  observations: z.array(z.string()),
});
const relationSchema = z.object({ from: z.string(), to: z.string(), relationType: z.string() });
const lineSchema = z.discriminatedUnion("type", [
  entitySchema.extend({ type: z.literal("entity") }),
  relationSchema.extend({ type: z.literal("relation") }),
]);
const graphSchema = z.object({
  entities: z.array(entitySchema),
  relations: z.array(relationSchema).default([]),
});

/** `whole`: the file as one JSON value, if it is one; `name`: the memories' session. */
export function readServerMemory(text: string, whole: unknown, file: string, name: string): Conversation[] {
  return [{ name: "", turns: turnsOf(text, whole, file).map((turn) => ({ ...turn, session: name })) }];
}

function turnsOf(text: string, whole: unknown, file: string): NewTurn[] {
  if (typeof whole === "object" && whole !== null && "entities" in whole) {
    const { entities, relations } = parseInput(graphSchema, whole, `graph in ${file}`);
    return [...entities.flatMap(ofEntity), ...relations.flatMap(ofRelation)];
  }
  return text.split(/\r?\n/).flatMap((line, place) => {
    if (line.trim() === "") return [];
    const where = `line ${file}:${place + 1}`;
    const valid = '{"type": "entity", "name": "Mia", "entityType": "person", "observations": ["…"]}';
    const one = parseInput(lineSchema, readJsonLine(line, where, valid), where);
    return one.type === "entity" ? ofEntity(one) : ofRelation(one);
  });
}

function ofEntity({ name, entityType, observations }: z.infer<typeof entitySchema>): NewTurn[] {
  // Of what nobody observed anything it is known what it is.
  const known = observations.length === 0 ? [entityType] : observations;
  return known.flatMap((observation) => judged(`${name}: ${observation}`, [name, entityType]));
}

function ofRelation({ from, to, relationType }: z.infer<typeof relationSchema>): NewTurn[] {
  return judged(`${from} ${relationType.replaceAll("_", " ")} ${to}`, [from, to]);
}

function judged(text: string, tags: readonly string[]): NewTurn[] {
  const judgment = foreignText(text);
  if (judgment === "") return [];
  const names = tags.map(foreignName).filter((tag) => tag !== "");
  return [judgedTurn({ judgment, type: "knowledge", tags: names, pinned: false })];
}
