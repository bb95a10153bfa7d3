import { afterEach, describe, expect, test, vi } from "vitest";
import { type Json, type JsonObject, jsonObjectSchema } from "../../base/json.ts";
import type { NewTurn } from "../../base/turn.ts";
import { overridePreset } from "../../lab/tune/override-preset.ts";
import { loadPreset, parsePreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import { Memory } from "../../runtime/memory.ts";
import { openInMemory } from "../../storage/memory.ts";
import { HASH_SPACE, hashEmbedder } from "../../testing/hash-embedder.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The flagship, or another design, with some options of `blend` set otherwise, after this was said. */
async function heard(said: readonly NewTurn[], options: JsonObject = {}, design?: Preset): Promise<Memory> {
  const overrides = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [`stages.memory_retrieval.blend.${name}`, value]),
  );
  const preset = overridePreset(design ?? (await loadPreset("neuromem")), overrides);
  const storage = await openInMemory();
  const memory = await Memory.open({
    storage,
    preset,
    scope: "mia",
    embedder: hashEmbedder(),
    background: false,
  });
  closing.push(async () => {
    await memory.close();
    await storage.close();
  });
  await memory.remember(said, { wait: "memory" });
  return memory;
}

/** The flagship, whose confidence is for cosines of these embedders. */
async function measuredIn(spaces: Json): Promise<Preset> {
  const base = await loadPreset("neuromem");
  const memory_retrieval = base.stages.memory_retrieval.map((one) => ({
    ...one,
    options: { ...one.options, confidence: { ...jsonObjectSchema.parse(one.options.confidence), spaces } },
  }));
  return { ...base, stages: { ...base.stages, memory_retrieval } };
}

async function first(memory: Memory, question: string): Promise<string | undefined> {
  return (await memory.recall(question)).hits[0]?.content;
}

const turn = (speaker: string, text: string, session = "one"): NewTurn => ({ speaker, text, session });

test("reads no stored vector, where a search by nearness alone compares in full precision", async () => {
  for (const { design, reads } of [
    { design: "neuromem", reads: false },
    { design: "dense", reads: true },
  ]) {
    const storage = await openInMemory();
    const memory = await Memory.open({
      ...{ storage, preset: design, scope: "mia", embedder: hashEmbedder(), background: false },
    });
    closing.push(async () => {
      await memory.close();
      await storage.close();
    });
    await memory.remember([turn("Mia", "I keep two goats."), turn("小美", "我养了两只山羊。")], {
      wait: "memory",
    });
    const vectors = vi.spyOn(storage.feed, "vectors");
    expect((await memory.recall("How many goats does Mia keep?")).hits).toHaveLength(2);
    expect((await memory.recall("小美养了几只山羊？")).hits).toHaveLength(2);
    expect(vectors.mock.calls.length > 0).toBe(reads);
  }
});

describe("blend", () => {
  test("an answer without a word of the question is found by what was said before it", async () => {
    const filler = ["The tram was late.", "Soup is ready.", "Nice hat!", "My phone is dead."];
    const memory = await heard([
      ...filler.map((text, place) => turn("Ben", text, `s${place}`)),
      turn("Ben", "Have you ever climbed Mount Olympus?", "hike"),
      turn("Mia", "Yes, twice!", "hike"),
    ]);
    const { hits } = await memory.recall("How often did Mia climb Mount Olympus?", { limit: 2 });
    expect(hits.map(({ content }) => content)).toContain("Mia: Yes, twice!");
  });

  test("of two who say the same, the one whom the question names is right, in English and Chinese", async () => {
    const said = ["Mia", "Ben", "小美", "阿强"].flatMap((name, place) => [
      turn(name, /^[A-Z]/.test(name) ? "I keep two goats at home." : "我在家里养了两只山羊。", `s${place}`),
    ]);
    const memory = await heard(said);
    expect(await first(memory, "How many goats does Ben keep?")).toMatch(/^Ben:/);
    expect(await first(memory, "How many goats does Mia keep?")).toMatch(/^Mia:/);
    expect(await first(memory, "阿强养了几只山羊？")).toMatch(/^阿强:/);
    expect(await first(memory, "小美养了几只山羊？")).toMatch(/^小美:/);
  });

  test("my own words answer a question about me, and an assistant's one about what it told", async () => {
    const memory = await heard([
      { role: "user", speaker: "user", text: "A good oven for bread has steam.", session: "a" },
      { role: "assistant", speaker: "assistant", text: "A good oven for bread has steam.", session: "b" },
    ]);
    expect(await first(memory, "What did I say about a good oven for bread?")).toMatch(/^user:/);
    expect(await first(memory, "What did you tell me about a good oven for bread?")).toMatch(/^assistant:/);
  });

  test("who asks when wants a time, and who asks how many a number", async () => {
    const memory = await heard([
      turn("Mia", "The parade in our street was loud.", "a"),
      turn("Mia", "The parade in our street was last week.", "b"),
      turn("Mia", "The parade in our street had nine floats.", "c"),
    ]);
    expect(await first(memory, "When was the parade in our street?")).toContain("last week");
    expect(await first(memory, "How many floats had the parade in our street?")).toContain("nine");
    const without = await heard(
      [
        turn("Mia", "The parade in our street was loud.", "a"),
        turn("Mia", "The parade in our street was last week, with elephants, drummers and clowns.", "b"),
      ],
      { "weights.kind": 0 },
    );
    expect(await first(without, "When was the parade in our street?")).toContain("loud");
  });

  test("where several things are asked for, several sessions are heard", async () => {
    const said = [
      turn("Mia", "I visited the cities Rome and Pisa, cities of Italy.", "a"),
      turn("Mia", "The cities I visited have old cities inside.", "a"),
      turn("Mia", "I visited cities by night, cities asleep.", "a"),
      turn("Mia", "I visited Lima.", "b"),
    ];
    const names = async (memory: Memory, limit: number) =>
      (await memory.recall("Which cities has Mia visited?", { limit })).hits.map(
        ({ metadata }) => metadata.session,
      );
    expect(await names(await heard(said, { "weights.crowding": 0 }), 2)).toEqual(["a", "a"]);
    expect(await names(await heard(said, { "weights.crowding": 1 }), 2)).toEqual(["a", "b"]);
  });

  test("the parts of every score add up to it, a limit is kept, and a filter too", async () => {
    const said = [
      "I like tea at breakfast.",
      "Breakfast is over.",
      "No milk for me, thanks.",
      "Juice! And the breakfast eggs, soft.",
      "Whoever likes wine comes late to breakfast.",
      "We had breakfast on the roof.",
    ].map((text, place) => turn(place % 2 === 0 ? "Mia" : "Ben", text, `s${place % 3}`));
    const memory = await heard(said);
    const { hits, confidence } = await memory.recall("What does Mia like at breakfast?", { limit: 4 });
    expect(hits).toHaveLength(4);
    for (const { score, scoreParts } of hits) {
      expect(Object.values(scoreParts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
    }
    // How near is near is known of the built-in embedder only.
    expect(confidence).toBeNull();
    const filtered = await memory.recall("breakfast", {
      filter: { op: "eq", field: "metadata.speaker", value: "Ben" },
    });
    expect(filtered.hits.map(({ metadata }) => metadata.speaker)).toEqual(["Ben", "Ben", "Ben"]);
  });

  test("every option changes what is found, or how sure it is", async () => {
    const said = [
      turn("Mia", "I travel to cities by train: Rome, Pisa, and to Viorst.", "a"),
      turn("Ben", "Which cities did Mia travel to by train?", "a"),
      turn("Mia", "The train to Oslo was late, three hours.", "b"),
      turn("Ben", "Viorst lives by the sea.", "c"),
      turn("Ben", "I never travel.", "c"),
    ];
    const question = "Which cities did Mia travel to by train in winter?";
    const seen = async (options: JsonObject): Promise<string> => {
      const { "confidence.spaces": spaces = [HASH_SPACE], ...rest } = options;
      const memory = await heard(said, rest, await measuredIn(spaces));
      const { hits, confidence, isDoubtful } = await memory.recall(question);
      return JSON.stringify([hits.map(({ content, score }) => [content, score]), confidence, isDoubtful]);
    };
    const others: JsonObject = {
      ...{ top_k: 2, pool: 1, named_weight: 10, unseen: 1, abstain_below: 0 },
      ...{ "weights.nearness": 2, "weights.words": 0, "weights.speaker": 0, "weights.kind": 0 },
      ...{ "weights.question": 0, "weights.repeat": 0, "weights.company": 0 },
      ...{ "weights.bridge": 0, "weights.crowding": 0 },
      ...{ "confidence.base": 0, "confidence.nearness": 0, "confidence.missing": 0 },
      ...{ "confidence.behind": 1, "confidence.lead": 2, "confidence.spaces": [] },
    };
    // A pool is never smaller than what is kept; `unseen` is asked of memories that one of two full lists has not; `behind`
    // where one is named and not far ahead; and only who is unsure can abstain.
    const beside: Record<string, JsonObject> = {
      pool: { top_k: 1 },
      unseen: { pool: 3, top_k: 3 },
      "confidence.behind": { "confidence.lead": 1 },
      abstain_below: { "confidence.base": -20 },
    };
    for (const [name, value] of Object.entries(others)) {
      const rest = beside[name] ?? {};
      expect(await seen({ ...rest, [name]: value }), name).not.toBe(await seen(rest));
    }
    const given = (await loadPreset("neuromem")).stages.memory_retrieval[0]?.options ?? {};
    const paths = Object.entries(given).flatMap(([name, value]) =>
      typeof value === "object" && value !== null
        ? Object.keys(value).map((one) => `${name}.${one}`)
        : [name],
    );
    expect(Object.keys(others).sort()).toEqual(paths.sort());
  });

  test("what was asked before comes after what tells and makes nobody surer; what was said beside it stays", async () => {
    const asked = [
      turn("user", "Where does my sister live?", "monday"),
      turn("user", "She moved to Oslo in May.", "monday"),
      turn("user", "The tram was late.", "tuesday"),
      turn("user", "我姐姐住在哪里？", "周二"),
      turn("user", "她五月搬到了奥斯陆。", "周二"),
    ];
    const memory = await heard(asked, {}, await measuredIn([HASH_SPACE]));
    for (const [question, answer] of [
      ["Where does my sister live?", "She moved to Oslo in May."],
      ["我姐姐住在哪里？", "她五月搬到了奥斯陆。"],
    ] as const) {
      const { hits } = await memory.recall(question);
      expect(hits[0]?.content).toContain(answer);
      const asking = hits.find(({ content }) => content.includes(question));
      expect(asking?.scoreParts.repeat).toBe(-1);
    }
    const sure = async (said: readonly NewTurn[]): Promise<number> => {
      const other = await heard(said, {}, await measuredIn([HASH_SPACE]));
      return (await other.recall("Who broke the blue vase?")).confidence ?? Number.NaN;
    };
    const others = [turn("user", "The tram was late.", "a"), turn("user", "Soup is ready.", "b")];
    const again = await sure([...others, turn("user", "Who broke the blue vase?", "c")]);
    expect(again).toBeCloseTo(await sure(others), 2);
  });

  test("who takes part is known also where no word of the question was ever said", async () => {
    const memory = await heard([
      { role: "user", text: "Bruno barked all night. Any tips?", session: "a" },
      { role: "assistant", text: "Take him out before bed.", session: "a" },
    ]);
    const { hits, stages } = await memory.recall("What about my puppy?");
    expect(stages.find(({ action }) => action === "blend")?.notes).toMatchObject({ about: ["user"] });
    // To an assistant a question is told much on the way: it is not held back.
    expect(hits.map(({ scoreParts }) => scoreParts.question)).toEqual([0, 0]);
    const mine = hits.find(({ content }) => content.startsWith("Bruno"));
    expect(mine?.scoreParts.speaker).toBeGreaterThan(0);
  });

  test("another wording that counts half brings half, in every part", async () => {
    const found = async (weight: number) => {
      const preset = await parsePreset(
        `name: one\nsummary: One.\nextends: neuromem\ndefaults: recommended\nstages:\n  pre_retrieval: [{ action: optimize, optimize_type: expand, count: 1, weight: ${weight}, replace_original: true }, embedding]\n`,
        "one.yaml",
      );
      const memory = await heard(
        [turn("Mia", "I keep two goats at home."), turn("Ben", "No goats?")],
        {},
        preset,
      );
      const { hits } = await memory.recall("Where does Mia keep goats?");
      return hits.flatMap(({ score, scoreParts }) => [score, ...Object.values(scoreParts)]);
    };
    const [whole, half] = [await found(1), await found(0.5)];
    expect(whole[0]).toBeGreaterThan(0.5);
    expect(half.map((one) => Number((2 * one).toFixed(9)))).toEqual(
      whole.map((one) => Number(one.toFixed(9))),
    );
  });

  test("without an embedder words alone find it", async () => {
    const storage = await openInMemory();
    const preset = await loadPreset("neuromem");
    const wordy = { ...preset, models: { ...preset.models, embedder: null } };
    const memory = await Memory.open({ storage, preset: wordy, scope: "mia", background: false });
    closing.push(async () => {
      await memory.close();
      await storage.close();
    });
    await memory.remember([turn("Mia", "I moved to Rome."), turn("Ben", "我住在成都。")], { wait: "memory" });
    expect(await first(memory, "Where did Mia move?")).toBe("Mia: I moved to Rome.");
    expect(await first(memory, "谁住在成都？")).toBe("Ben: 我住在成都。");
  });
});
