import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defaultInsert } from "../actions/memory-insert/default.ts";
import { defaultRetrieval } from "../actions/memory-retrieval/default.ts";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { parseScope } from "../base/scope.ts";
import { openPipelineWorld, type PipelineSetup, type PipelineWorld } from "../testing/pipeline-world.ts";
import { type ActionDefinition, defineAction } from "./action.ts";
import { effectsOf } from "./record.ts";
import { RIGHTS, type Rights, STAGES, type Stage } from "./stage.ts";

const service = {
  name: "neuromem_vdb",
  options: { collection_name: "memories", top_k: 10, vitality: null },
};
const insert = { action: defaultInsert, options: {} };
const look = {
  action: defaultRetrieval,
  options: { top_k: null, fusion: { strategy: "rrf", rrf_k: 60, weights: null } },
};
const worlds: PipelineWorld[] = [];

async function open(
  stages: PipelineSetup["stages"],
  more: Partial<PipelineSetup> = {},
): Promise<PipelineWorld> {
  const world = await openPipelineWorld({
    service,
    ...more,
    stages: { memory_insert: [insert], memory_retrieval: [look], ...stages },
  });
  worlds.push(world);
  return world;
}

/** An action without types, as one from outside may be: it reaches for whatever it likes. */
function reaching<S extends Stage>(
  stage: S,
  reach: (store: Reached, given: unknown) => unknown,
): ActionDefinition<S> {
  return defineAction<S, unknown>({
    stage,
    name: stage === "memory_insert" ? "default" : "reaching",
    summary: "Does what it may not.",
    options: z.unknown(),
    async run(given, context) {
      await reach(storeOf(context), given);
      throw new Error("nobody stopped it");
    },
  });
}

type Operation = (...given: unknown[]) => Promise<unknown>;
type Reached = Readonly<Record<"retrieve" | "insert" | "delete" | "optimize" | "status", Operation>> & {
  cycle(entry: unknown): Reached;
};

function storeOf(context: object): Reached {
  return Object.getOwnPropertyDescriptor(context, "store")?.value;
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

describe("the operation table", () => {
  const query = { text: "tea" };
  const entry = { content: "slipped in" };
  const tries: Readonly<Record<keyof Rights, (store: Reached) => Promise<unknown>>> = {
    retrieve: (store) => store.retrieve(query),
    insert: (store) => store.insert(entry),
    delete: (store) => store.delete([]),
    optimize: (store) => store.optimize({ trigger: "summarize", config: {} }),
  };
  const rules = STAGES.flatMap((stage) =>
    (["retrieve", "insert", "delete", "optimize"] as const)
      // A round of post_insert is the subject of its own tests.
      .filter(
        (operation) =>
          [false, "never"].includes(RIGHTS[stage][operation]) ||
          (stage === "post_insert" && operation !== "optimize"),
      )
      .map((operation) => ({ stage, operation })),
  );

  test.each(rules)(
    "[S0-9][S0-10][S0-12][S0-13][S0-14][C-27] $stage may not $operation",
    async ({ stage, operation }) => {
      const action = { action: reaching(stage, tries[operation]), options: {} };
      const world = await open({ [stage]: [action] });
      const forbidden = { code: "operation_forbidden", message: expect.stringContaining(stage) };
      if (stage.endsWith("insert"))
        await expect(world.say(["I drink tea."])).rejects.toMatchObject(forbidden);
      else {
        await expect(world.ask("What do I drink?")).rejects.toMatchObject(forbidden);
      }
      expect((await world.storage.stats()).entries).toBe(stage === "post_insert" ? 1 : 0);
    },
  );

  test("[S0-10] memory_insert inserts one entry for each draft", async () => {
    const twice = reaching("memory_insert", async (store) => {
      await store.insert(entry);
      await store.insert(entry);
    });
    const world = await open({ memory_insert: [{ action: twice, options: {} }] });
    await expect(world.say(["I drink tea."])).rejects.toMatchObject({
      code: "operation_forbidden",
      message: expect.stringContaining("insert twice"),
    });
  });

  const rounds: [string, (round: Reached) => Promise<unknown>, string][] = [
    [
      "retrieve twice",
      async (round) => [await round.retrieve(query), await round.retrieve(query)],
      "retrieve twice",
    ],
    ["delete twice", async (round) => [await round.delete([]), await round.delete([])], "delete twice"],
    [
      "insert twice",
      async (round) => [await round.insert([entry]), await round.insert([entry])],
      "insert twice",
    ],
    [
      "retrieve after delete",
      async (round) => [await round.delete([]), await round.retrieve(query)],
      "after delete",
    ],
    [
      "retrieve after insert",
      async (round) => [await round.insert([]), await round.retrieve(query)],
      "after insert",
    ],
    [
      "delete after insert",
      async (round) => [await round.insert([]), await round.delete([])],
      "after insert",
    ],
  ];
  test.each(rounds)("[S0-11] a round of post_insert may not %s", async (_, breach, message) => {
    const action = reaching("post_insert", (store, given) => breach(store.cycle(idsOf(given)[0])));
    const world = await open({ post_insert: [{ action, options: {} }] });
    await expect(world.say(["I drink tea."])).rejects.toMatchObject({
      code: "operation_forbidden",
      message: expect.stringContaining(message),
    });
  });

  test("[C-27] a round is for an entry that was just inserted, and the whole stage has one for each", async () => {
    const again = reaching("post_insert", async (store, given) => {
      const [id] = idsOf(given);
      await store.cycle(id).retrieve(query);
      await store.cycle(id).retrieve(query);
    });
    const foreign = reaching("post_insert", async (store) => store.cycle("another"));
    for (const action of [again, foreign]) {
      const world = await open({ post_insert: [{ action, options: {} }] });
      await expect(world.say(["I drink tea."])).rejects.toMatchObject({ code: "operation_forbidden" });
    }
  });

  test("[S0-11][C-11] what a round deletes leaves recall only when what takes its place is stored", async () => {
    const replace = defineAction({
      stage: "post_insert",
      name: "replace",
      summary: "Replaces all it finds by one.",
      options: z.strictObject({}),
      async run({ inserted }, { store, embed }) {
        for (const { id } of inserted) {
          const round = store.cycle(id);
          const hits = await round.retrieve({ text: "tea", topK: 9 });
          await round.delete(hits.map((hit) => hit.id));
          const [vector] = await embed(["tea, always"]);
          await round.insert([{ content: "tea, always", vectors: vector === undefined ? [] : [vector] }]);
        }
        return undefined;
      },
    });
    const world = await open({ post_insert: [{ action: replace, options: {} }] });
    const { inserted, stages } = await world.say(["I drink tea."]);
    const { hits } = await world.ask("tea");
    expect(hits.map(({ content }) => content)).toEqual(["tea, always"]);
    expect(stages.at(-1)?.notes).toEqual({ added: [hits[0]?.id], retired: idsOf({ inserted }) });
    const [old] = await world.storage.entries(parseScope("alice"), "memories", idsOf({ inserted }));
    expect(old).toMatchObject({ content: "I drink tea.", supersededBy: hits[0]?.id });
  });
});

describe("[C-27] rights end where they should", () => {
  const said = ["I drink tea."];
  const post = (run: ActionDefinition<"post_insert">["run"]) => ({
    action: defineAction<"post_insert", unknown>({
      stage: "post_insert",
      name: "probing",
      summary: "Probes.",
      options: z.unknown(),
      run,
    }),
    options: {},
  });

  test("an insert cannot retire anything: not in memory_insert, not in a round", async () => {
    const world = await open({});
    const { inserted } = await world.say(said);
    const supersedes = idsOf({ inserted });
    const slipped = { content: "x", supersedes };
    const storing = reaching("memory_insert", (store) => store.insert(slipped));
    const inRound = reaching("post_insert", (store, given) => store.cycle(idsOf(given)[0]).insert([slipped]));
    const { storage } = world;
    for (const stages of [
      { memory_insert: [{ action: storing, options: {} }] },
      { post_insert: [{ action: inRound, options: {} }] },
    ]) {
      const other = await open(stages, { storage });
      await expect(other.say(["x"])).rejects.toMatchObject({ code: "operation_forbidden" });
    }
    const [first] = await storage.entries(parseScope("alice"), "memories", supersedes);
    expect(first?.supersededBy).toBeNull();
  });

  test("a handle ends with its action", async () => {
    const kept: (() => Promise<unknown>)[] = [];
    const world = await open({
      post_insert: [
        post(({ inserted }, { store }) => {
          const round = store.cycle(idsOf({ inserted })[0] as EntryId);
          kept.push(
            () => store.optimize({ trigger: "summarize", config: {} }),
            () => store.status(),
            () => round.retrieve({ text: "tea" }),
            () => round.insert([{ content: "late" }]),
          );
          return undefined;
        }),
      ],
    });
    await world.say(said);
    for (const late of kept) {
      await expect(late()).rejects.toMatchObject({
        code: "operation_forbidden",
        message: expect.stringContaining("after it had ended"),
      });
    }
  });

  test("nothing leaves when the insert that should take its place fails", async () => {
    const world = await open({
      post_insert: [
        post(async ({ inserted }, { store, note }) => {
          const round = store.cycle(idsOf({ inserted })[0] as EntryId);
          await round.delete(idsOf({ inserted }), { hard: true });
          await round.insert([{ content: "" }]).catch(() => note("failed", true));
          return undefined;
        }),
      ],
    });
    const { stages } = await world.say(said);
    expect(stages.at(-1)?.notes).toEqual({ failed: true });
    expect((await world.ask("tea")).hits).toHaveLength(1);
  });

  test("what an action deleted without an insert leaves when it ends, whatever comes after it", async () => {
    const world = await open({
      post_insert: [
        post(async ({ inserted }, { store }) => {
          const [first, last] = [idsOf({ inserted })[0], idsOf({ inserted }).at(-1)] as [EntryId, EntryId];
          await store.cycle(last).delete([first]);
          return undefined;
        }),
        post(() => {
          throw new MemoryError("model_refused", "no");
        }),
      ],
    });
    const failed = world.say(["old tea", "new tea"]);
    await expect(failed).rejects.toMatchObject({
      code: "model_refused",
      details: { stored: [expect.any(String), expect.any(String)] },
    });
    expect((await world.ask("tea")).hits.map(({ content }) => content)).toEqual(["new tea"]);
  });

  test("an entry cannot take its own place", async () => {
    const world = await open({
      post_insert: [
        post(async ({ inserted }, { store }) => {
          const [id] = idsOf({ inserted }) as [EntryId];
          await store.cycle(id).delete([id]);
          return undefined;
        }),
      ],
    });
    await expect(world.say(said)).rejects.toMatchObject({ code: "input_invalid" });
  });

  test("inserts of one scope wait for each other", async () => {
    const seen: number[] = [];
    const world = await open({
      post_insert: [
        post(async ({ inserted }, { store }) => {
          const hits = await store
            .cycle(idsOf({ inserted })[0] as EntryId)
            .retrieve({ text: "tea", topK: 9 });
          seen.push(hits.length);
          return undefined;
        }),
      ],
    });
    await Promise.all([world.say(["tea one"]), world.say(["tea two"]), world.say(["tea three"])]);
    expect(seen).toEqual([1, 2, 3]);
  });

  test("a failed action is written down, with its code", async () => {
    const world = await open({
      pre_insert: [{ action: reaching("pre_insert", (store) => store.insert({})), options: {} }],
    });
    await expect(world.say(said)).rejects.toMatchObject({ code: "operation_forbidden" });
    expect(world.heard.at(-1)).toMatchObject({
      type: "stage-run",
      action: "reaching",
      error: "operation_forbidden",
    });
  });
});

describe("the runner", () => {
  test("[S0-1][S0-2][S0-8] a draft goes through three stages, a question through three, and each is written down", async () => {
    const world = await open({});
    const { inserted, stages } = await world.say([
      { text: "I drink tea.", speaker: "Ada" },
      { text: "我喜欢茶", speaker: "小明" },
    ]);
    expect(inserted.map(({ draft }) => draft.content)).toEqual(["Ada: I drink tea.", "小明: 我喜欢茶"]);
    expect(stages.map(({ stage, action }) => [stage, action])).toEqual([
      ["pre_insert", "(embedding)"],
      ["memory_insert", "default"],
      ["memory_insert", "default"],
    ]);
    const found = await world.ask("茶");
    expect(found.hits[0]).toMatchObject({ content: "小明: 我喜欢茶", metadata: { speaker: "小明" } });
    expect(found.stages).toMatchObject([
      { stage: "memory_retrieval", action: "default", result: found.hits.length },
      { stage: "post_retrieval", action: "(counting looks)" },
    ]);
    expect(found.stages[0]?.effects).toEqual(
      found.hits.map(({ id, score }, place) => ({ did: "found", id, place: place + 1, score })),
    );
    expect(world.heard.filter(({ type }) => type === "stage-run")).toHaveLength(5);
  });

  test("[B.0.9-17] only what a question is answered with counts as looked at, once", async () => {
    const keepOne = defineAction({
      stage: "post_retrieval",
      name: "keep_one",
      summary: "Asks again, keeps the best.",
      options: z.strictObject({}),
      async run(found, { store }) {
        await store.retrieve({ text: "tea" });
        return { ...found, hits: found.hits.slice(0, 1) };
      },
    });
    const world = await open({ post_retrieval: [{ action: keepOne, options: {} }] });
    await world.say(["I drink tea.", "She drinks tea."]);
    const { hits, stages } = await world.ask("tea");
    const entries = await world.storage.scan(parseScope("alice"), { collection: "memories", limit: 9 });
    expect(entries.map(({ accessCount }) => accessCount).sort()).toEqual([0, 1]);
    expect(entries.find(({ accessCount }) => accessCount === 1)?.id).toBe(hits[0]?.id);
    expect(stages.at(-2)?.effects).toMatchObject([{ did: "dropped", from: 2 }]);
  });

  test("[S0-24] a draft whose insert method nobody has is refused with those that are there", async () => {
    const mark = defineAction({
      stage: "pre_insert",
      name: "mark",
      summary: "Names a method.",
      options: z.strictObject({}),
      run: ({ drafts }) => drafts.map((draft) => ({ ...draft, insertMethod: "scm_insert" as const })),
    });
    const world = await open({ pre_insert: [{ action: mark, options: {} }] });
    await expect(world.say(["x"])).rejects.toMatchObject({
      message: expect.stringContaining("Valid: default"),
    });
  });

  test("what is no question, and what was never journalled, is refused with what is valid", async () => {
    const world = await open({});
    const alice = parseScope("alice");
    const untyped = <T>(value: unknown): T => value as T;
    for (const wrong of ["tea", { text: "tea", topk: 3 }, { text: 5 }, { text: "tea", topK: 0 }]) {
      await expect(world.pipeline.retrieve(alice, untyped(wrong))).rejects.toMatchObject({
        code: "input_invalid",
      });
    }
    for (const wrong of [[{ text: "tea" }], "tea", undefined]) {
      await expect(world.pipeline.insert(alice, untyped(wrong))).rejects.toMatchObject({
        code: "input_invalid",
        message: expect.stringContaining("appendTurns"),
      });
    }
  });

  test("an aborted call stops before the next action, and what was stored stays", async () => {
    const world = await open({});
    const { inserted } = await world.say(["I drink tea."]);
    const signal = AbortSignal.abort();
    const asked = world.pipeline.retrieve(parseScope("alice"), { text: "tea" }, { signal });
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
    expect(inserted).toHaveLength(1);
  });

  test("a packet may be one memory; several texts are embedded in one call", async () => {
    const world = await open({}, { input: { unit: "packet", with_speaker: false } });
    const { inserted } = await world.say([
      { text: "One.", speaker: "Ada", captions: ["a cat"] },
      { text: "Two.", speaker: "Bob" },
    ]);
    expect(inserted).toHaveLength(1);
    expect(inserted[0]?.draft).toMatchObject({
      content: "One. [a cat]\nTwo.",
      metadata: { persons: ["Ada", "Bob"] },
    });
    expect(inserted[0]?.draft.sources).toHaveLength(2);
  });
});

test("an explanation says what was found, moved, rewritten and dropped, and nothing of what stayed", async () => {
  const world = await open({});
  await world.say(["a tea", "b tea", "c tea"]);
  const { hits } = await world.ask("tea");
  const [a, b, c] = hits;
  if (a === undefined || b === undefined || c === undefined) throw new Error("three were stored");
  expect(effectsOf([a, b], [a, b])).toEqual([]);
  expect(effectsOf([a, b], [{ ...b, score: 9 }, { ...a, text: "short" }, c])).toMatchObject([
    { did: "changed", id: b.id, from: 2, place: 1, score: 9, rewritten: false },
    { did: "changed", id: a.id, from: 1, place: 2, rewritten: true },
    { did: "found", id: c.id, place: 3 },
  ]);
  expect(effectsOf([a, b], [a])).toEqual([{ did: "dropped", id: b.id, from: 2 }]);
});

function idsOf(given: unknown): EntryId[] {
  const inserted: readonly { readonly id: EntryId }[] = Object.getOwnPropertyDescriptor(
    given,
    "inserted",
  )?.value;
  return inserted.map(({ id }) => id);
}
