/**
 * The file of the MCP reference server for memory: a line per entity, {"type": "entity", "name", "entityType",
 * "observations"}, and per relation, {"type": "relation", "from", "to", "relationType"}; or the whole graph, {"entities",
 * "relations"}.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { KnowledgeGraph } from "../../server/mcp/knowledge-graph/graph.ts";
import { readJsonLine } from "./json-line.ts";

/** As another program wrote it: what it held for a name is one. */
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

/** `whole`: the file as one JSON value, if it is one. */
export function readGraph(text: string, whole: unknown, file: string): KnowledgeGraph {
  if (typeof whole === "object" && whole !== null && "entities" in whole)
    return parseInput(graphSchema, whole, `graph in ${file}`);
  const graph: KnowledgeGraph = { entities: [], relations: [] };
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const where = `line ${file}:${place + 1}`;
    const valid = '{"type": "entity", "name": "Mia", "entityType": "person", "observations": ["…"]}';
    const one = parseInput(lineSchema, readJsonLine(line, where, valid), where);
    if (one.type === "entity") graph.entities.push(entitySchema.parse(one));
    else graph.relations.push(relationSchema.parse(one));
  }
  return graph;
}
