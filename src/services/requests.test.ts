import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { untyped } from "../testing/collection-world.ts";
import { ALICE, noteOf, ServiceWorld } from "../testing/service-world.ts";

const options = { collection_name: "notes", top_k: 5, vitality: null };

describe("what is asked of a service", () => {
  let world: ServiceWorld;
  beforeEach(async () => {
    world = new ServiceWorld({ name: "neuromem_vdb", options }, "memory");
    await world.start();
  });
  afterEach(() => world.stop());

  test.each<[string, object]>([
    ["top_k", { top_k: 1 }],
    ["filters", { filters: {} }],
    ["hint", { hint: {} }],
    ["a text that is none", { text: 7 }],
    ["vectors that are none", { vectors: [[1, 0]] }],
    ["a filter that is none", { filter: "kind" }],
    ["topK −1", { topK: -1 }],
    ["topK NaN", { topK: Number.NaN }],
    ["topK 1.5", { topK: 1.5 }],
    ["touch that is neither", { touch: "no" }],
  ])("[B.0.9-1] a question with %s is refused, by whatever way of looking", async (_, more) => {
    await world.remember(ALICE, 0);
    for (const strategy of world.strategies) {
      const question = { ...world.questionFor(0, strategy), ...more };
      await world.refuses("input_invalid", world.service.retrieve(ALICE, untyped(question)));
    }
  });

  test.each<[string, object]>([
    ["indexes", { indexes: [] }],
    ["work", { work: [{ name: "crud", payload: {} }] }],
    ["an id", { id: "019de0d5-c800-76c8-862e-1cb0617741f1" }],
    ["a turn", { turn: { text: "hello" } }],
    ["supersededBy", { supersededBy: "019de0d5-c800-76c8-862e-1cb0617741f1" }],
    ["a misspelt field", { importanc: 1 }],
    ["a vector that is none", { vectors: [Float32Array.of(1)] }],
    ["supersedes that are no ids", { supersedes: ["the old one"] }],
  ])("an insert with %s is refused, and nothing is stored or left pending", async (_, more) => {
    await world.refuses(
      "input_invalid",
      world.service.insert(ALICE, untyped({ content: noteOf(1), ...more })),
    );
    expect((await world.everything(ALICE)).size).toBe(0);
    expect((await world.service.getStatus(ALICE)).count).toBe(0);
  });

  test("what joins no index is stored where it is found by facts about it", async () => {
    const given = { insertMode: "active", insertParams: { targetIndexes: [] } } as const;
    const id = await world.service.insert(ALICE, { content: noteOf(1), ...given });
    const found = await world.service.retrieve(ALICE, { hints: { strategy: "structured" } });
    expect(found.map((hit) => hit.id)).toEqual([id]);
    expect(await world.service.retrieve(ALICE, { text: noteOf(1), hints: { strategy: "lexical" } })).toEqual(
      [],
    );
  });

  test("what joins no index is refused with vectors, and where nobody looks by facts", async () => {
    const given = { insertMode: "active", insertParams: { targetIndexes: [] } } as const;
    await world.refuses("input_invalid", world.remember(ALICE, 0, { ...given, vectors: world.vectorsOf(0) }));
    const window = new ServiceWorld(
      { name: "short_term_memory", options: { ...options, maxlen: 3 } },
      "memory",
    );
    await window.start();
    await window.refuses("input_invalid", window.service.insert(ALICE, { content: noteOf(1), ...given }));
    await window.stop();
    expect((await world.everything(ALICE)).size).toBe(0);
  });

  test.each(["archived", "stm", "长期"])("a service without tiers refuses the tier %s", async (tier) => {
    await world.refuses("capability_missing", world.remember(ALICE, 0, { tier }));
    await world.remember(ALICE, 0, { tier: null });
  });

  test("edges are refused where there is no graph", async () => {
    const to = await world.remember(ALICE, 0);
    await world.refuses("capability_missing", world.remember(ALICE, 1, { edges: [{ to, type: "link" }] }));
  });

  test.each<[string, object]>([
    ["an unknown word", { foo: 1 }],
    ["entries that are no ids", { entries: ["all"] }],
    ["entries that are no list", { entries: "all" }],
  ])("[B.0.9-15] optimize with %s is refused", async (_, more) => {
    const request = { trigger: "forgetting", config: {}, ...more };
    await world.refuses("input_invalid", world.service.optimize(ALICE, untyped(request)));
  });

  test("a judgement is a number from −1 to 1", async () => {
    for (const value of [2, -1.1, Number.NaN, untyped<number>("good")])
      await world.refuses("input_invalid", world.service.feedback(ALICE, [], value));
  });
});
