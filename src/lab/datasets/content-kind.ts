/** What is in a file, told by its content: a data set, something that belongs to one, or nothing that is known here. */
import { z } from "zod";
import type { DatasetKind } from "../dataset.ts";

export type ContentKind = DatasetKind | "audit" | "corpus" | "openie";

export function contentKind(value: unknown): ContentKind | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== "object" || first === null) return undefined;
  const has = (...keys: readonly string[]): boolean => keys.every((key) => key in first);
  // A single conversation, too.
  if (has("conversation", "qa")) return "locomo";
  if (!Array.isArray(value)) {
    if (has("dialogues", "_metadata")) return "realmem";
    if (has("docs")) return "openie";
    const [sentences] = Object.values(first);
    return isTexts(sentences) ? "corpus" : undefined;
  }
  if (has("haystack_sessions", "question_id")) return "longmemeval";
  if (has("question", "paragraphs") || has("question", "supporting_facts", "context")) return "multihop";
  // Other tasks of MemoryAgentBench have the same form.
  if (has("context", "questions", "answers")) return value.some(isFacts) ? "factconsolidation" : undefined;
  if (has("question_id", "correct_evidence")) return "audit";
  return has("title", "text") ? "corpus" : undefined;
}

const factsSchema = z.object({ metadata: z.object({ source: z.string().startsWith("factconsolidation_") }) });

function isFacts(value: unknown): boolean {
  return factsSchema.safeParse(value).success;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}
