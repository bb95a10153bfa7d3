import { afterEach, describe, expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import { resolveEndpoint } from "../models/endpoints.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { type Script, startModelServer } from "../testing/model-server.ts";
import { findConflicts } from "./conflict.ts";
import { extract } from "./conflict-attribute.ts";
import { type ConflictCandidate, type ConflictOptions, conflictOptions } from "./conflict-options.ts";
import { planResolution, RESOLUTIONS } from "./conflict-resolution.ts";
import { createAttributeDetector, extractByModel } from "./index.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function scripted(chat: Script) {
  const server = await startModelServer({ chat });
  closers.push(server.close);
  const model = openAiCompatible(
    resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" }),
  );
  return { model, server };
}

const CHAIN: ConflictOptions = {
  detectors: ["attribute_key", "similarity", "polarity", "llm_verify"],
  similarity_threshold: 0.8,
  require_attribute_key: false,
  min_confidence: 0.7,
};
const ALONE = { task: { onBadReply: "throw" } } as const;

async function find(
  text: string,
  candidates: readonly ConflictCandidate[],
  change: Partial<ConflictOptions> = {},
) {
  const options = conflictOptions.parse({ ...CHAIN, ...change });
  const found = await findConflicts({ text }, candidates, options, ALONE);
  return found.map(({ candidate, verdict, detector }) => [candidate.text, verdict.kind, detector]);
}

describe("[S1-24] [S1-25] the stand-alone detector of seed 001", () => {
  const detector = createAttributeDetector({ similarity_threshold: 0.8 });
  const existing = [{ text: "Bob's age is 40" }, { text: "ALICE'S city IS Paris" }, { text: "It rains." }];

  test('[S1-24] entity and attribute of "X\'s Y is Z", whatever the case, and of Chinese', () => {
    expect(detector.extract("Alice's hobby is chess")).toEqual({ entity: "alice", attribute: "hobby" });
    expect(detector.extract("ALICE'S HOBBY IS CHESS")).toEqual({ entity: "alice", attribute: "hobby" });
    expect(detector.extract("小明的爱好是下棋")).toEqual({ entity: "小明", attribute: "hobby" });
    expect(detector.extract("It rains.")).toBeUndefined();
  });

  test("[S1-24] by a model where the rules see nothing", async () => {
    const { model } = await scripted(
      '{"triples": [{"subject": "Alice", "relation": "Hometown", "object": "Rome"}]}',
    );
    const task = { model, onBadReply: "throw" } as const;
    const text = "Rome is where Alice spent every childhood summer.";
    expect(extract(text)).toBeUndefined();
    expect(await extractByModel(text, task)).toEqual({ entity: "alice", attribute: "hometown" });
    expect(await extractByModel(text, { onBadReply: "throw" })).toBeUndefined();
  });

  test("[S1-25] the same entity and attribute clash", () => {
    expect(detector.detect({ text: "Alice's city is Rome" }, existing)).toBe(existing[1]);
    expect(detector.detect({ text: "Alice's job is baker" }, existing)).toBeUndefined();
  });

  test("[S1-23] [S1-25] otherwise similarity above the threshold, if it is given", () => {
    const similarity = (value: number) => () => value;
    expect(detector.detect({ text: "Alice's job is baker" }, existing, similarity(0.81))).toBe(existing[0]);
    expect(detector.detect({ text: "Alice's job is baker" }, existing, similarity(0.8))).toBeUndefined();
  });

  test("[S1-25] a new fact without entity and attribute clashes with nothing", () => {
    expect(detector.detect({ text: "It rains." }, existing, () => 1)).toBeUndefined();
  });

  test("[S1-25] the chain of attribute_key alone does the same, and says how they clash", async () => {
    const only = {
      detectors: ["attribute_key"],
      require_attribute_key: true,
    } satisfies Partial<ConflictOptions>;
    expect(await find("Alice's city is Rome", existing, only)).toEqual([
      ["ALICE'S city IS Paris", "update", "attribute_key"],
    ]);
    expect(
      await find(
        "It rains.",
        existing.map((one) => ({ ...one, similarity: 0.99 })),
        only,
      ),
    ).toEqual([]);
    const withSimilarity = {
      ...only,
      detectors: ["attribute_key", "similarity"],
    } satisfies Partial<ConflictOptions>;
    const alike = [{ text: "Alice bakes bread for a living", similarity: 0.9 }];
    expect(await find("Alice's job is baker", alike, withSimilarity)).toEqual([
      [alike[0]?.text, "update", "similarity"],
    ]);
  });
});

describe("[C-10] the chain of detectors", () => {
  test("an attribute that clashes is found without similarity, in both languages", async () => {
    expect(await find("Alice lives in Berlin", [{ text: "Alice lives in Paris" }])).toEqual([
      ["Alice lives in Paris", "update", "attribute_key"],
    ]);
    expect(await find("小明讨厌咖啡", [{ text: "小明喜欢喝咖啡" }, { text: "小红喜欢咖啡" }])).toEqual([
      ["小明喜欢喝咖啡", "contradiction", "attribute_key"],
    ]);
  });

  test("likeness is a suspicion that polarity confirms", async () => {
    const known = [{ text: "Alice eats meat", similarity: 0.9 }];
    expect(await find("Alice does not eat meat", known)).toEqual([
      ["Alice eats meat", "contradiction", "polarity"],
    ]);
  });

  test("likeness that nothing confirms retires nothing", async () => {
    const known = [{ text: "Alice bought a blue car", similarity: 0.95 }];
    expect(await find("Alice bought a red car", known)).toEqual([]);
  });

  test("what is not alike enough is not looked at", async () => {
    expect(await find("Alice does not eat meat", [{ text: "Alice eats meat", similarity: 0.3 }])).toEqual([]);
  });

  test("the same text is a duplicate, whatever was measured", async () => {
    expect(await find("It rains.", [{ text: "it rains", similarity: 0.1 }])).toEqual([
      ["it rains", "duplicate", "similarity"],
    ]);
  });

  test("the model has the last word on what is suspect, if it is sure enough, and is not asked about the rest", async () => {
    const reply = (confidence: number) =>
      JSON.stringify({ kind: "none", confidence, evidence: ["Two different occasions."] });
    const known = [
      { text: "Alice eats meat", similarity: 0.9 },
      { text: "Bob plays chess", similarity: 0.2 },
    ];
    const run = async (confidence: number) => {
      const { model, server } = await scripted(reply(confidence));
      const deps = { task: { model, onBadReply: "throw" } } as const;
      const found = await findConflicts({ text: "Alice does not eat meat" }, known, CHAIN, deps);
      return { kinds: found.map(({ verdict }) => verdict.kind), calls: server.requests.length };
    };
    expect(await run(0.9)).toEqual({ kinds: [], calls: 1 });
    expect(await run(0.4)).toEqual({ kinds: ["contradiction"], calls: 1 });
  });

  test.each([
    ["Alice had her car painted red", "Alice drives a blue car"],
    ["小红把车漆成了红色", "小红开一辆蓝色的车"],
  ])("a model that comes first or alone must be sure enough, too: %s", async (text, old) => {
    const run = async (confidence: number, detectors: ConflictOptions["detectors"]) => {
      const { model } = await scripted(JSON.stringify({ kind: "update", confidence, evidence: [] }));
      const deps = { task: { model, onBadReply: "throw" } } as const;
      const found = await findConflicts({ text }, [{ text: old }], { ...CHAIN, detectors }, deps);
      return found.map(({ verdict }) => verdict.kind);
    };
    for (const detectors of [["llm_verify"], ["llm_verify", "polarity"]] as const) {
      expect(await run(0.69, [...detectors])).toEqual([]);
      expect(await run(0.9, [...detectors])).toEqual(["update"]);
    }
  });

  test("a model that sees a clash where the rules cleared the suspicion", async () => {
    const { model } = await scripted(
      JSON.stringify({ kind: "update", confidence: 0.9, evidence: ["The colour changed."] }),
    );
    const deps = { task: { model, onBadReply: "throw" } } as const;
    const known = [{ text: "Alice drives a blue car these days", similarity: 0.9 }];
    const found = await findConflicts({ text: "Alice had her car painted red" }, known, CHAIN, deps);
    expect(found).toMatchObject([{ verdict: { kind: "update" }, detector: "llm_verify" }]);
  });

  test("a model that fails leaves the rules' verdict, or throws, as the caller chose", async () => {
    const { model } = await scripted("nonsense");
    const known = [{ text: "Alice eats meat", similarity: 0.9 }];
    const fallback = { task: { model, onBadReply: "fallback" } } as const;
    const found = await findConflicts({ text: "Alice does not eat meat" }, known, CHAIN, fallback);
    expect(found).toMatchObject([{ verdict: { kind: "contradiction" }, detector: "polarity" }]);
    const strict = { task: { model, onBadReply: "throw" } } as const;
    await expect(findConflicts({ text: "Alice does not eat meat" }, known, CHAIN, strict)).rejects.toSatisfy(
      MemoryError.is,
    );
  });

  test("the order of the detectors and the threshold are settings, all of them required", () => {
    expect(() => conflictOptions.parse({ detectors: ["attribute_key"] })).toThrow();
    expect(() => conflictOptions.parse({ ...CHAIN, detectors: ["magic"] })).toThrow();
  });
});

describe("[C-10] [S1-26] what is done about conflicts", () => {
  const finding = (kind: "duplicate" | "update") => ({
    candidate: { id: 1 },
    verdict: { kind, confidence: 1, evidence: [] },
    detector: "attribute_key" as const,
  });

  test("without a conflict everything is inserted", () => {
    for (const resolution of RESOLUTIONS) {
      expect(planResolution([], resolution)).toMatchObject({
        action: "inserted",
        insert: true,
        remove: [],
        supersede: [],
      });
    }
  });

  test.each([
    ["skip", { action: "skipped", insert: false, remove: [] }],
    ["replace", { action: "replaced", insert: true, remove: [{ id: 1 }] }],
    ["append", { action: "inserted", insert: true, remove: [] }],
    ["supersede", { action: "superseded", insert: true, remove: [], supersede: [{ id: 1 }] }],
    ["ask", { action: "asked", insert: true, ask: [finding("update")] }],
  ] as const)("%s", (resolution, expected) => {
    const plan = planResolution([finding("update")], resolution);
    expect(plan).toMatchObject(expected);
    expect(plan.conflicts).toHaveLength(1);
  });

  test("what is already known is not superseded by its own copy", () => {
    expect(planResolution([finding("duplicate")], "supersede")).toMatchObject({
      action: "skipped",
      insert: false,
      supersede: [],
    });
  });
});
