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

describe("what blends a turn with the one before it is refused where no window shows that one", () => {
  const blending = (window: string, options = "") =>
    parsePreset(
      `name: one\nsummary: One.\ndefaults: recommended\ninput: { window: ${window} }\nservice: { name: neuromem_vdb }\nstages:\n  pre_insert: { action: blend_embed${options} }\n`,
      "my.yaml",
    );

  test.each([
    "{ by: turns, size: 1, context: 0 }",
    "{ by: turns, size: 4, overlap: 1, context: 0 }",
    "{ by: session, gap_seconds: null, max_turns: 50 }",
  ])("%s", async (window) => {
    await expect(blending(window)).rejects.toThrow(
      "The action blend_embed needs 1 of the turns before a window, but input.window shows 0. Valid: { by: turns, context: 1 } or more.",
    );
    await blending(window, ", before_weight: 0");
  });

  test("and taken where one does", async () => {
    const { stages } = await blending("{ by: turns, size: 1, context: 1 }");
    expect(stages.pre_insert[0]?.options).toEqual({
      sentence_weight: 1,
      before_weight: 0.3,
      max_sentences: 8,
      min_words: 4,
    });
  });
});

describe("what lays something out for a search that does not read it is refused", () => {
  const blending = (stages: string) =>
    parsePreset(`name: one\nsummary: One.\nextends: neuromem\nstages:\n${stages}\n`, "my.yaml");
  const decompose = (order: string) =>
    `  pre_retrieval: [{ action: decompose, decompose_strategy: rule, order: ${order} }, embedding]`;
  const expanding = "[{ action: optimize, optimize_type: keyword_extract, search_by: lexical }, embedding]";

  test("ways of looking, for one that has its own", async () => {
    await expect(blending(`  pre_retrieval: ${expanding}`)).rejects.toThrow(
      "The action optimize lays out ways of looking, which blend does not read: it has its own.",
    );
    await blending(`  pre_retrieval: ${expanding}\n  memory_retrieval: default`);
  });

  test("an order of the queries, for one that asks them all at once", async () => {
    await expect(blending(decompose("sequential"))).rejects.toThrow(
      "The action decompose has queries asked one after another, but blend asks them all at once.",
    );
    await blending(decompose("parallel"));
    await blending(`${decompose("sequential")}\n  memory_retrieval: default`);
  });
});
