/**
 * The nine tools of the knowledge-graph memory server, by the same names, with the same input and the same results, so that
 * a client that was set up for it can be pointed here. What it keeps is a memory like any other: recall finds it.
 */
import { z } from "zod";
import { parseInput } from "../../../base/parse-input.ts";
import type { Effect } from "../../../operations/index.ts";
import type { Tool } from "../tool.ts";
import { entitySchema, graphSchema, relationSchema } from "./graph.ts";
import { type GraphMemory, graphIn } from "./graph-memory.ts";

interface Row<Input, Output> {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  run(graph: GraphMemory, input: Input): Promise<Output>;
  /** What of it the text shows; the whole if unsaid. */
  text?(output: Output): unknown;
}

const doneSchema = z.object({ success: z.boolean(), message: z.string() });
const shown = ({ message }: z.infer<typeof doneSchema>): string => message;
const done = (what: string) => ({ success: true, message: `${what} deleted successfully` });

export const KNOWLEDGE_GRAPH_TOOLS: readonly Tool[] = [
  graphTool({
    name: "create_entities",
    description: "Create entities in the knowledge graph; those that exist are left as they are.",
    effect: "write",
    input: z.object({ entities: z.array(entitySchema) }),
    output: z.object({ entities: z.array(entitySchema) }),
    run: async (graph, { entities }) => ({ entities: await graph.createEntities(entities) }),
    text: ({ entities }) => entities,
  }),
  graphTool({
    name: "create_relations",
    description: "Create relations between entities, in active voice; those that exist are skipped.",
    effect: "write",
    input: z.object({ relations: z.array(relationSchema) }),
    output: z.object({ relations: z.array(relationSchema) }),
    run: async (graph, { relations }) => ({ relations: await graph.createRelations(relations) }),
    text: ({ relations }) => relations,
  }),
  graphTool({
    name: "add_observations",
    description: "Add observations to entities that exist.",
    effect: "write",
    input: z.object({
      observations: z.array(z.object({ entityName: z.string(), contents: z.array(z.string()) })),
    }),
    output: z.object({
      results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
    }),
    run: async (graph, { observations }) => ({ results: await graph.addObservations(observations) }),
    text: ({ results }) => results,
  }),
  graphTool({
    name: "delete_entities",
    description: "Erase entities with their observations and relations, for good.",
    effect: "erase",
    input: z.object({ entityNames: z.array(z.string()) }),
    output: doneSchema,
    async run(graph, { entityNames }) {
      await graph.deleteEntities(entityNames);
      return done("Entities");
    },
    text: shown,
  }),
  graphTool({
    name: "delete_observations",
    description: "Erase observations of entities, for good.",
    effect: "erase",
    input: z.object({
      deletions: z.array(z.object({ entityName: z.string(), observations: z.array(z.string()) })),
    }),
    output: doneSchema,
    async run(graph, { deletions }) {
      await graph.deleteObservations(deletions);
      return done("Observations");
    },
    text: shown,
  }),
  graphTool({
    name: "delete_relations",
    description: "Erase relations, for good.",
    effect: "erase",
    input: z.object({ relations: z.array(relationSchema) }),
    output: doneSchema,
    async run(graph, { relations }) {
      await graph.deleteRelations(relations);
      return done("Relations");
    },
    text: shown,
  }),
  graphTool({
    name: "read_graph",
    description: "The whole knowledge graph.",
    effect: "read",
    input: z.object({}),
    output: graphSchema,
    run: (graph) => graph.read(),
  }),
  graphTool({
    name: "search_nodes",
    description:
      "Entities that hold the words in name, type or observations, else by meaning; with their relations.",
    effect: "read",
    input: z.object({ query: z.string().max(100_000) }),
    output: graphSchema,
    run: (graph, { query }) => graph.search(query),
  }),
  graphTool({
    name: "open_nodes",
    description: "Entities by their names, with their relations.",
    effect: "read",
    input: z.object({ names: z.array(z.string()) }),
    output: graphSchema,
    run: (graph, { names }) => graph.open(names),
  }),
];

function graphTool<Input, Output extends object>(row: Row<Input, Output>): Tool {
  const { name, description, effect, input, output, text = (made: Output): unknown => made } = row;
  return {
    name,
    description,
    effect,
    // What is there is not made again, what is gone not erased again.
    isIdempotent: true,
    input,
    output,
    async run(memory, given) {
      const made = await row.run(graphIn(memory), parseInput(input, given, `input of ${name}`));
      const shown = text(made);
      return {
        structured: Object.fromEntries(Object.entries(made)),
        text: typeof shown === "string" ? shown : JSON.stringify(shown, null, 2),
      };
    },
  };
}
