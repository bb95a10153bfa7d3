/**
 * The two sentences of the JSON protocol itself: how to answer a model that cannot be held to a schema, and what to say after
 * a reply that could not be used. They belong to the parser, not to a task; a task's own prompts are files.
 */
import type { JsonObject } from "../base/json.ts";

export type InstructionLanguage = "en" | "zh";

export interface JsonInstructions {
  format(schema: JsonObject): string;
  again(problem: string, schema: JsonObject): string;
}

export const JSON_INSTRUCTIONS: Readonly<Record<InstructionLanguage, JsonInstructions>> = {
  en: {
    format: (schema) =>
      `Answer with one JSON object and nothing else: no explanation, no code fence. Fill in data; do not repeat the schema. It must satisfy this JSON schema:\n${JSON.stringify(schema)}`,
    again: (problem, schema) =>
      `That reply could not be used. ${problem} Send the whole JSON object again, corrected and complete, and nothing else. It must satisfy this JSON schema:\n${JSON.stringify(schema)}`,
  },
  zh: {
    format: (schema) =>
      `只输出一个 JSON 对象：不要解释，不要代码块。请填入数据，不要复述 Schema。它必须符合以下 JSON Schema：\n${JSON.stringify(schema)}`,
    again: (problem, schema) =>
      `上一条回复无法使用。${problem} 请重新输出完整且改正后的 JSON 对象，不要输出其他内容。它必须符合以下 JSON Schema：\n${JSON.stringify(schema)}`,
  },
};
