/** A knowledge graph out of a file, into the memory: what is missing of it, to the letter where it can be stored. */
import { readFile } from "node:fs/promises";
import { MemoryError } from "../base/errors.ts";
import type { Memory } from "../runtime/memory.ts";
import type { KnowledgeGraph } from "../server/mcp/knowledge-graph/graph.ts";
import { graphIn } from "../server/mcp/knowledge-graph/graph-memory.ts";
import { foreignText } from "./conversation/foreign-text.ts";
import { readGraph } from "./conversation/graph-file.ts";

/** Gives how many facts were new. They are on disk when it returns, and taken up in the background. */
export async function importGraph(memory: Memory, file: string): Promise<number> {
  const read = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new MemoryError("input_invalid", `The file ${file} could not be read. Valid: a memory.jsonl.`, {
      cause,
    });
  });
  const text = read.replace(/^\uFEFF/, "");
  const graph = readGraph(text, wholeJson(text), file);
  return graphIn(memory).take(storable(graph), { wait: "journal" });
}

/** One JSON value, if it is one; a file of lines is none. */
function wholeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Without what no memory can hold: control characters, names of nothing. */
function storable({ entities, relations }: KnowledgeGraph): KnowledgeGraph {
  return {
    entities: entities
      .map(({ name, entityType, observations }) => ({
        name: foreignText(name),
        entityType: foreignText(entityType),
        observations: observations.map(foreignText).filter((one) => one !== ""),
      }))
      .filter(({ name }) => name !== ""),
    relations: relations
      .map(({ from, to, relationType }) => ({
        from: foreignText(from),
        to: foreignText(to),
        relationType: foreignText(relationType),
      }))
      .filter(({ from, to }) => from !== "" && to !== ""),
  };
}
