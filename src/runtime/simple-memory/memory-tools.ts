/**
 * What may a model do with the memory? `core_memory_remember` and `core_memory_recall`, and `note_recall`, which says that
 * there are no notes (S3-5, S3-31). Bound to any `MemoryRuntime` and to one scope: the host chooses it, so no model can reach
 * another's memories by naming them. Described in English or Chinese; `input` is a JSON schema as model endpoints take it.
 *
 *     const tools = memoryTools(runtime, { scope: "mia", language: "zh" });
 *     await tools.find(({ name }) => name === "core_memory_recall")?.run({ query: "小明说晚上去吃火锅" });
 */
import { z } from "zod";
import { type JsonObject, jsonObjectSchema } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { parseScope } from "../../base/scope.ts";
import type { Tool } from "../../models/model.ts";
import { oneLine } from "../../tasks/dialogue.ts";
import { markRecalled } from "../../text/recalled-marks.ts";
import type { MemoryItem, MemoryRuntime } from "./memory-runtime.ts";
import { TOOL_WORDS, type ToolLanguage, type ToolWords } from "./tool-words.ts";

export interface MemoryTool extends Tool {
  /** Throws a MemoryError whose sentence the model may read. */
  run(input: unknown): Promise<ToolReply>;
}

export interface ToolReply {
  /** For the model. */
  readonly text: string;
  /** For the host: what was remembered or found. */
  readonly memories: readonly MemoryItem[];
}

export interface ToolOptions {
  /** Whose memory the tools reach. */
  readonly scope: string;
  /** Of descriptions and replies. @default en */
  readonly language?: ToolLanguage | undefined;
}

const optionsSchema: z.ZodType<ToolOptions> = z.strictObject({
  scope: z.string(),
  language: z.enum(["en", "zh"]).optional(),
});

export function memoryTools(runtime: MemoryRuntime, options: ToolOptions): readonly MemoryTool[] {
  const { scope: given, language = "en" } = parseInput(optionsSchema, options, "options of memoryTools");
  const scope = parseScope(given);
  const words = TOOL_WORDS[language];
  return [
    rememberTool(runtime, scope, words),
    recallTool(runtime, scope, words),
    noteTool(runtime, language),
  ];
}

function rememberTool(runtime: MemoryRuntime, scope: string, words: ToolWords): MemoryTool {
  const { remember: told } = words;
  const input = z.strictObject({
    judgment: z.string().describe(told.judgment),
    reasoning: z.string().describe(told.reasoning),
    tags: z.array(z.string()).min(1).describe(told.tags),
    memory_type: z.string().optional().describe(words.memoryType),
  });
  return tool("core_memory_remember", told.description, input, async (memory) => {
    const id = await runtime.remember(scope, memory);
    const memories = await runtime.getByIds(scope, [id]);
    return { text: told.done(id), memories };
  });
}

function recallTool(runtime: MemoryRuntime, scope: string, words: ToolWords): MemoryTool {
  const { recall: told } = words;
  const input = z.strictObject({
    query: z.string().describe(told.query),
    limit: z.int().min(1).max(1000).optional().describe(told.limit),
    memory_type: z.string().optional().describe(words.memoryType),
  });
  return tool("core_memory_recall", told.description, input, async ({ query, limit, memory_type }) => {
    const memory_types = memory_type === undefined ? undefined : [memory_type];
    const memories = await runtime.recall(scope, query, { limit, memory_types });
    if (memories.length === 0) return { text: told.nothing, memories };
    const lines = memories.map((one, place) => oneLine(`${place + 1}. ${told.line(one, dayOf(one))}`));
    // Marked, so that a host that records what its tools gave teaches the memory nothing it knows.
    return { text: `${told.found(memories.length)}\n${markRecalled(lines.join("\n"))}`, memories };
  });
}

/** Found nothing because there is nothing to look in: said, so that nobody takes it for an empty answer. */
function noteTool(runtime: MemoryRuntime, language: ToolLanguage): MemoryTool {
  const { description, query } = TOOL_WORDS[language].note;
  const input = z.strictObject({ query: z.string().describe(query) });
  return tool("note_recall", description, input, async () => ({
    text: runtime.notes[language],
    memories: [],
  }));
}

function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  input: z.ZodObject<Shape, z.core.$strict>,
  run: (input: z.infer<z.ZodObject<Shape, z.core.$strict>>) => Promise<ToolReply>,
): MemoryTool {
  return {
    name,
    description,
    input: schemaOf(input),
    run: async (given) => run(parseInput(input, given, `input of ${name}`)),
  };
}

function schemaOf(input: z.ZodType): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: "input" });
  return jsonObjectSchema.parse(schema);
}

function dayOf({ created_at }: MemoryItem): string {
  return new Date(created_at * 1000).toISOString().slice(0, 10);
}
