/** Words that meant several things in the seeds mean one each here. */
import { expect, test } from "vitest";
import { ACTIONS } from "../actions/index.ts";
import { parseScope } from "../base/scope.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { openInMemory } from "../storage/memory.ts";
import { estimateTokens } from "../text/token-count.ts";
import { parsePreset } from "./load.ts";
import { openPreset } from "./open.ts";
import { variantsOf } from "./option-table.ts";

const names = (stage: "post_insert" | "post_retrieval"): string[] => ACTIONS[stage].map(({ name }) => name);

test("[C-14] insights after inserts and the loop that asks until enough is found are two actions", () => {
  expect(names("post_insert")).toContain("reflection");
  expect(names("post_retrieval")).toContain("reflect");
  expect(names("post_retrieval")).not.toContain("reflection");
});

test("[C-15] to distil, to summarise, to crystallise and to sweep are four actions", () => {
  expect(names("post_insert")).toEqual(
    expect.arrayContaining(["distillation", "summarize", "consolidate", "forgetting"]),
  );
});

test("[S0-90][C-24] an action is the coarse class, its sub-type an option; a sub-type may stand for its action", () => {
  const rerank = ACTIONS.post_retrieval.find(({ name }) => name === "rerank");
  const subtypes =
    rerank === undefined ? [] : variantsOf(rerank.options, rerank.subtype).map(({ subtype }) => subtype);
  expect(subtypes).toEqual(
    expect.arrayContaining(["semantic", "time_weighted", "ppr", "weighted", "cross_encoder"]),
  );
  expect(rerank?.shorthands?.ppr).toEqual({ rerank_type: "ppr" });
});

test("[C-34] how much is recalled is the preset's to say: a number of hits, and a budget of tokens over all", async () => {
  const alice = parseScope("alice");
  const counted = async (top_k: number, budget: number) => {
    const preset = await parsePreset(
      `name: x
summary: Y.
defaults: recommended
models: { chat: null, embedder: null, reranker: null }
service: { name: neuromem_vdb, top_k: ${top_k} }
stages:
  pre_retrieval: none
  post_retrieval: [{ action: filter, filter_type: token_budget, budget: ${budget}, reserve: 0 }, none]
`,
      "x.yaml",
    );
    const storage = await openInMemory();
    const open = await openPreset(preset, { storage });
    const said = Array.from({ length: 9 }, (_, n) => ({
      text: `Tea number ${n} is green. 第${n}杯茶。`,
      speaker: "Ada",
    }));
    await open.insert(alice, await appendTurns(storage, alice, said));
    const { hits, context } = await open.retrieve(alice, { text: "tea 茶" });
    await open.close();
    await storage.close();
    return { hits: hits.length, tokens: estimateTokens(context ?? "") };
  };
  expect(await counted(3, 1000)).toMatchObject({ hits: 3 });
  const tight = await counted(9, 40);
  expect(tight.hits).toBeGreaterThan(0);
  expect(tight.hits).toBeLessThan(9);
  // Line breaks between hits are the format's.
  expect(tight.tokens).toBeLessThanOrEqual(45);
});
