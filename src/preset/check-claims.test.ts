import { describe, expect, test } from "vitest";
import { parsePreset } from "./load.ts";

const withStages = (stages: string) =>
  parsePreset(
    `name: one\nsummary: One.\ndefaults: recommended\nservice: { name: neuromem_vdb }\nstages:\n${stages}\n`,
    "my.yaml",
  );

describe("[B.0.6] what needs a vector of the question is refused where nobody makes one", () => {
  test.each([
    "  pre_retrieval: none\n  post_retrieval: { action: rerank, rerank_type: semantic }",
    "  pre_retrieval: { action: optimize, optimize_type: instruction }",
  ])("%s", async (stages) => {
    await expect(withStages(stages)).rejects.toThrow("needs a vector of the question");
  });

  test("and taken where somebody does", async () => {
    await withStages(
      "  pre_retrieval: embedding\n  post_retrieval: { action: rerank, rerank_type: semantic }",
    );
    await withStages("  pre_retrieval: [{ action: optimize, optimize_type: instruction }, embedding]");
  });
});
