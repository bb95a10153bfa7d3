/** How far is the token estimate from a real tokenizer (o200k)? Mean error per text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer";
import { z } from "zod";
import { estimateTokens } from "../../src/text/token-count.ts";

/** In per cent. */
export function estimateError(texts: readonly string[]): number {
  const errors = texts.map((text) => {
    const exact = encode(text).length;
    return Math.abs(estimateTokens(text) - exact) / exact;
  });
  return (100 * errors.reduce((sum, error) => sum + error, 0)) / errors.length;
}

const memoryBankSchema = z.record(
  z.string(),
  z.object({ history: z.record(z.string(), z.array(z.record(z.string(), z.string()))) }),
);

/** What users and assistant say to each other in MemoryBank's Chinese half. */
export function loadMemoryBankTurns(folder: string): string[] {
  const path = join(folder, "memorybank", "eval_data", "cn", "memory_bank_cn.json");
  const users = memoryBankSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  return Object.values(users)
    .flatMap(({ history }) => Object.values(history).flat())
    .flatMap(({ query = "", response = "" }) => [query, response])
    .filter((text) => text.trim() !== "");
}
