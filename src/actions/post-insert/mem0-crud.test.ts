import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC, parseScope } from "../../base/scope.ts";
import { defineAction } from "../../pipeline/action.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import {
  openPostInsertWorld,
  type PostInsertSetup,
  type PostInsertWorld,
} from "../../testing/post-insert-world.ts";
import { summaryInsert } from "../memory-insert/summary-insert.ts";
import { extract } from "../pre-insert/extract.ts";
import { mem0Crud } from "./mem0-crud.ts";

const OPTIONS: JsonObject = { decide: "each", search: "semantic", topk: 5, prompt: "decide_crud" };

const worlds: PostInsertWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(
  options: JsonObject = {},
  setup: Partial<PostInsertSetup> = {},
): Promise<PostInsertWorld> {
  const post = [{ action: mem0Crud, options: { ...OPTIONS, ...options } }];
  const world = await openPostInsertWorld({ ...setup, post });
  worlds.push(world);
  return world;
}

function reply(event: string, id: number | null, text: string): string {
  return JSON.stringify({ decisions: [{ fact: 0, event, id, text }] });
}

test("[S0-34][C-28] ADD: nothing is near, or the model says so, and both stay", async () => {
  const world = await open({}, { chat: reply("ADD", null, "Bob plays chess.") });
  await world.say(["Ada plays chess."]);
  expect(world.asked()).toBe("[]");
  expect(world.notes()).toEqual({ events: { ADD: 1 } });
  await world.say(["Bob plays chess."]);
  expect(await world.current()).toEqual(["Ada plays chess.", "Bob plays chess."]);
});

test("[B.0.2] UPDATE: the old one gives way to the new one, or to what both say together", async () => {
  const plain = await open({}, { chat: reply("UPDATE", 0, "Ada's city is Oslo.") });
  await plain.say(["Ada's city is Rome."]);
  const { inserted } = await plain.say(["Ada's city is Oslo."]);
  const [old] = await plain.all();
  expect(old?.supersededBy).toBe(inserted[0]?.id);
  expect(await plain.current()).toEqual(["Ada's city is Oslo."]);

  const fused = await open({}, { chat: reply("UPDATE", 0, "Ada likes cheese pizza and plays with Bob.") });
  await fused.say(["Ada likes cheese pizza."]);
  await fused.say(["Ada likes to play with Bob."]);
  const [first, second, merged] = await fused.all();
  expect(merged?.content).toBe("Ada likes cheese pizza and plays with Bob.");
  expect([first?.supersededBy, second?.supersededBy]).toEqual([merged?.id, merged?.id]);
  expect(merged?.sources).toEqual([...(first?.sources ?? []), ...(second?.sources ?? [])]);
});

test("[B.0.2][C-11] DELETE: the contradicted one gives way, both can be read", async () => {
  const world = await open({}, { chat: reply("DELETE", 0, "小明讨厌咖啡。") });
  await world.say(["小明喜欢咖啡。"]);
  const { inserted } = await world.say(["小明讨厌咖啡。"]);
  expect(await world.current()).toEqual(["小明讨厌咖啡。"]);
  expect((await world.all())[0]?.supersededBy).toBe(inserted[0]?.id);
});

test("[B.0.9-5] NOOP: the new one is known by its id and gives way to the one that says it already", async () => {
  const world = await open({}, { chat: reply("NOOP", 0, "Ada has a dog.") });
  const known = await world.say(["Ada owns a dog."]);
  const { inserted } = await world.say(["Ada has a dog."]);
  const entries = await world.all();
  expect(entries.find(({ id }) => id === inserted[0]?.id)?.supersededBy).toBe(known.inserted[0]?.id);
  expect(await world.current()).toEqual(["Ada owns a dog."]);
});

test("without a model the rules decide, packet by packet or all at once, in both languages", async () => {
  const world = await open();
  await world.say(["Ada's city is Rome.", "小明住在北京。", "Ada's city is Rome.", "小明住在上海。"]);
  expect(await world.current()).toEqual(["Ada's city is Rome.", "小明住在上海。"]);
  expect(world.notes()).toMatchObject({ events: { ADD: 2, NOOP: 1, UPDATE: 1 } });
});

test("topk: what is shown; search: by which way it is found", async () => {
  const said = ["Ada owns a red dog.", "Rome is far away.", "Ada owns a red dog now."];
  const shown = async (options: JsonObject, setup: Partial<PostInsertSetup> = {}) => {
    const world = await open(options, { ...setup, chat: reply("ADD", null, "x") });
    await world.say(said.slice(0, 2));
    const before = world.asked().length;
    await world.say(said.slice(2));
    const asked = world.asked().slice(before);
    return said.slice(0, 2).map((text) => asked.includes(text));
  };
  expect(await shown({})).toEqual([true, true]);
  expect(await shown({ topk: 1 })).toEqual([true, false]);
  // By words only what shares a word is near, and nobody embeds.
  expect(await shown({ search: "lexical" }, { embedder: undefined })).toEqual([true, false]);
});

test("[B.0.9-23] the option names the prompt", async () => {
  const promptFiles = { my_crud: "Weigh it.\n\n---\n\n{{facts}}\n\n{{memories}}\n" };
  const world = await open({ prompt: "my_crud" }, { chat: reply("ADD", null, "x"), promptFiles });
  await world.say(["Ada owns a dog.", "Ada owns the dog Rex."]);
  expect(world.asked()).toContain("Weigh it.");
});

test("a private scope leaves public memories alone", async () => {
  const world = await open();
  await world.say(["Ada's city is Rome."], PUBLIC);
  await world.say(["Ada's city is Oslo."]);
  await world.say(["Ada's city is Rome."]);
  expect(await world.current(PUBLIC)).toEqual(["Ada's city is Rome."]);
  expect(await world.current()).toEqual(["Ada's city is Rome.", "Ada's city is Rome."]);
});

test.each(["semantic", "lexical"])(
  "[S0-34] the scope's old fact is met behind a hundred nearer public ones, by %s",
  async (search) => {
    const world = await open({ search, topk: 1 });
    await world.say(["Ada's city is Rome.", "小明住在北京。"]);
    const crowd = Array.from({ length: 50 }, () => ["Ada's city is Oslo.", "小明住在上海。"]).flat();
    for (const content of crowd) {
      const vectors = [await hashEmbedder().embedDocument(content)];
      await world.service.insert(PUBLIC, { content, vectors: vectors.filter((one) => one !== undefined) });
    }
    await world.say(["Ada's city is Oslo.", "小明住在上海。"]);
    const own = (await world.all()).filter(({ scope }) => scope !== PUBLIC);
    const current = own.filter(({ supersededBy }) => supersededBy === null);
    expect(current.map(({ content }) => content)).toEqual(["Ada's city is Oslo.", "小明住在上海。"]);
    expect(own).toHaveLength(4);
  },
);

test("a bad reply: the rules answer, or the insert fails and nothing is lost", async () => {
  const setup = { chat: reply("UPDATE", 9, "x") };
  const lenient = await open({}, { ...setup, onBadReply: "fallback" });
  await lenient.say(["Ada's city is Rome."]);
  await lenient.say(["Ada's city is Oslo."]);
  expect(await lenient.current()).toEqual(["Ada's city is Oslo."]);
  const strict = await open({}, { ...setup, onBadReply: "throw" });
  await strict.say(["Ada's city is Rome."]);
  await expect(strict.say(["Ada's city is Oslo."])).rejects.toMatchObject({ code: "reply_invalid" });
  expect(await strict.current()).toEqual(["Ada's city is Rome.", "Ada's city is Oslo."]);
});

test("[B.0.9-8] on a hybrid memory, whose own question about the clash is answered with it", async () => {
  const service = {
    name: "hybrid_memory",
    options: {
      collection_name: "notes",
      top_k: 10,
      vitality: null,
      graph_enabled: false,
      graph: null,
      fusion_strategy: "weighted",
      weights: { vector: 0.7, text: 0.3, graph: null },
      rrf_k: null,
      overfetch: 2,
      text: { k1: 1.2, b: 0.75, around: [], dates: false },
      conflict_check: { similarity: 0.3, top: 5 },
    },
  };
  const world = await open({}, { service });
  await world.say(["Ada's city is Rome.", "小明住在北京。"]);
  await world.say(["Ada's city is Oslo.", "小明住在上海。"]);
  expect(await world.current()).toEqual(["Ada's city is Oslo.", "小明住在上海。"]);
  expect((await world.service.getStatus(parseScope("alice"))).count).toBe(0);
});

const tier = (name: string) => ({
  ...{ name, capacity: null, membership: "exclusive", indexes: ["queue", "vector", "text"] },
});

const TOGETHER = "Ada loves tea and hiking.";

test("[S0-42] what is merged stays where the insert method put the others, and is of their kind", async () => {
  const named = defineAction({
    stage: "pre_insert",
    name: "named",
    summary: "Names the insert method.",
    options: z.strictObject({}),
    run: ({ drafts }) => drafts.map((draft) => ({ ...draft, insertMethod: "summary_insert" })),
  });
  const merged = async (target_tier: string | null) => {
    const world = await open(
      {},
      {
        service: {
          name: "hierarchical_memory",
          options: {
            ...{
              collection_name: "notes",
              top_k: 5,
              migration_policy: "auto",
              eviction: null,
              graph: null,
              vitality: null,
            },
            tiers: [tier("stm"), tier("ltm")],
          },
        },
        pre: [chosen(named, {})],
        insert: [chosen(summaryInsert, { target_tier })],
        chat: reply("UPDATE", 0, TOGETHER),
      },
    );
    await world.say(["Ada loves tea."]);
    await world.say(["Ada loves hiking."]);
    return (await world.all()).filter(({ supersededBy }) => supersededBy === null);
  };
  expect(await merged("ltm")).toMatchObject([{ content: TOGETHER, kind: "summary", tier: "ltm" }]);
  expect(await merged(null)).toMatchObject([{ content: TOGETHER, kind: "summary", tier: "stm" }]);
});

test("what is merged knows all that the others knew, lists of objects among it", async () => {
  const traits = (...texts: string[]) =>
    JSON.stringify({ traits: texts.map((text) => ({ kind: "preference", text })) });
  const world = await open(
    {},
    {
      pre: [chosen(extract, { extract_type: "persona", persona_prompt: "extract_persona" })],
      chat({ body }) {
        const asked = JSON.stringify(body);
        if (asked.includes("NOOP")) return reply("UPDATE", 0, TOGETHER);
        return asked.includes("tea") ? traits("loves tea") : traits("loves hiking");
      },
    },
  );
  await world.say([{ speaker: "Ada", text: "I love tea." }]);
  await world.say([{ speaker: "Ada", text: "I love hiking." }]);
  const merged = (await world.all()).find(({ content }) => content === TOGETHER);
  expect(merged?.metadata.persona).toMatchObject([{ text: "loves tea" }, { text: "loves hiking" }]);
});

test("what it needs of a preset", () => {
  const claims = (options: JsonObject) =>
    mem0Crud.claims?.(mem0Crud.options.parse({ ...OPTIONS, ...options }));
  expect(claims({})).toMatchObject({ cycle: true, embedder: true, hints: [{ strategy: "semantic" }] });
  expect(claims({ search: "lexical" })).toMatchObject({ embedder: false, hints: [{ strategy: "lexical" }] });
});
