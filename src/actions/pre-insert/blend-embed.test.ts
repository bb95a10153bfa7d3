import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { parseScope } from "../../base/scope.ts";
import type { NewTurn } from "../../base/turn.ts";
import type { Vector } from "../../base/vector.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { appendTurns } from "../../pipeline/journal.ts";
import { JUDGMENT } from "../../pipeline/judgment.ts";
import { measureField, textField } from "../../services/vector-fields.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { detectLanguage } from "../../text/language.ts";
import { blendEmbed } from "./blend-embed.ts";
import { extract } from "./extract.ts";
import { score } from "./score.ts";

const ALICE = parseScope("alice");
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const WORDS = [/cat|猫/g, /dog|狗/g, /tea|茶/g, /Mia|小美/g];

/** How often each word is there, in one space for each language: what comes of it can be computed by hand. */
function countingEmbedder(): EmbedderSet & { readonly calls: (readonly string[])[] } {
  const calls: (readonly string[])[] = [];
  const spaces = (["en", "zh"] as const).map((language) => ({
    space: `count-${language}`,
    dimension: 5,
    language,
  }));
  const vectorOf = (text: string): Vector | undefined => {
    const language = detectLanguage(text);
    if (language === "other") return undefined;
    const counts = WORDS.map((word) => text.match(word)?.length ?? 0);
    const other = counts.every((count) => count === 0) ? 1 : 0;
    return { space: `count-${language}`, values: Float32Array.of(...counts, other) };
  };
  const embedDocuments = async (texts: readonly string[]) => {
    calls.push(texts);
    return texts.map(vectorOf);
  };
  return {
    calls,
    spaces,
    embedDocuments,
    embedDocument: async (text) => vectorOf(text),
    embedQuery: async (text) => [vectorOf(text)].flatMap((one) => (one ? [{ ...one, native: true }] : [])),
  };
}

const OPTIONS = { sentence_weight: 1, before_weight: 0.3, max_sentences: 8, min_words: 4 };

async function open(options: JsonObject = {}, more: Partial<PreInsertSetup> = {}) {
  const embedder = countingEmbedder();
  const world = await openPreInsertWorld({
    pre: [chosen(blendEmbed, { ...OPTIONS, ...options })],
    embedder,
    ...more,
  });
  closing.push(world.close);
  return { ...world, embedder };
}

type World = Awaited<ReturnType<typeof open>>;

/** As they stand in the storage, by content; of length one, and only four digits of them. */
async function stored({ storage, all }: World, space = "count-en"): Promise<Record<string, number[] | null>> {
  const entries = await all();
  const vectors = await storage.vectors(
    ALICE,
    space,
    entries.map(({ id }) => id),
  );
  return Object.fromEntries(
    entries.map(({ content }, place) => {
      const values = vectors[place];
      return [content, values === undefined ? null : [...values].map((value) => +value.toFixed(4))];
    }),
  );
}

const PETS = "I have a cat and a cat. My dog is very old.";
const TEA = "Shall we drink some tea?";

/** Who speaks is known and not written, so that names count nothing. */
const UNNAMED = { input: { unit: "turn", with_speaker: false } } as const;

function bob(text: string): NewTurn {
  return { speaker: "Bob", text };
}

async function pets(options: JsonObject, said: readonly (string | NewTurn)[] = [bob(TEA), bob(PETS)]) {
  const world = await open(options, UNNAMED);
  await world.keep(said);
  return (await stored(world))[PETS];
}

describe("the blend", () => {
  test("of the whole, the mean of its sentences and the turn before, by hand", async () => {
    // (2, 1, 0)/√5 + (1, 1, 0)/√2 + 0.3 · (0, 0, 1) = (1.6015, 1.1543, 0.3), which is 1.9968 long.
    expect(await pets({})).toEqual([0.802, 0.5781, 0.1502, 0, 0]);
  });

  test("every option changes it", async () => {
    // (2, 1, 0)/√5 + 3 · (1, 1, 0)/√2 + 0.3 · (0, 0, 1)
    expect(await pets({ sentence_weight: 3 })).toEqual([0.7591, 0.6466, 0.0755, 0, 0]);
    // (2, 1, 0)/√5 + 0.3 · (0, 0, 1)
    expect(await pets({ sentence_weight: 0 })).toEqual([0.8567, 0.4284, 0.2873, 0, 0]);
    // (2, 1, 0)/√5 + (1, 1, 0)/√2
    expect(await pets({ before_weight: 0 })).toEqual([0.8112, 0.5847, 0, 0, 0]);
    // Two sentences are too many, so that the whole counts for them: 2 · (2, 1, 0)/√5 + 0.3 · (0, 0, 1)
    expect(await pets({ max_sentences: 1 })).toEqual([0.8845, 0.4423, 0.1483, 0, 0]);
    // Only the first sentence has seven words: (2, 1, 0)/√5 + (1, 0, 0) + 0.3 · (0, 0, 1)
    expect(await pets({ min_words: 7 })).toEqual([0.9619, 0.2271, 0.1523, 0, 0]);
  });

  test("one sentence, or none that is long enough, leaves the whole", async () => {
    const world = await open({ before_weight: 0 }, UNNAMED);
    await world.keep([bob("I have a cat and a dog and a cat"), bob("A cat! A cat! A dog!")]);
    const whole = [0.8944, 0.4472, 0, 0, 0];
    expect(Object.values(await stored(world))).toEqual([whole, whole]);
    expect(world.embedder.calls[0]).toHaveLength(2);
  });

  test("Chinese words count as words do: short sentences are left out, the others blended", async () => {
    const world = await open({ before_weight: 0 }, UNNAMED);
    await world.keep([bob("我家里有一只猫和一只猫。我的狗已经很老了。喝茶吧！")]);
    expect(world.embedder.calls).toEqual([
      [
        "我家里有一只猫和一只猫。我的狗已经很老了。喝茶吧！",
        "我家里有一只猫和一只猫。",
        "我的狗已经很老了。",
      ],
    ]);
    // (2, 1, 1)/√6 + (1, 1, 0)/√2
    const [made] = Object.values(await stored(world, "count-zh"));
    expect(made).toEqual([0.7887, 0.5774, 0.2113, 0, 0]);
  });

  test("of a text that nobody said the whole counts for its sentences; the text before it counts all the same", async () => {
    // 2 · (2, 1, 0)/√5 + 0.3 · (0, 0, 1)
    expect(await pets({}, [TEA, PETS])).toEqual([0.8845, 0.4423, 0.1483, 0, 0]);
    const world = await open();
    const chinese = "我家里有一只猫和一只猫。我的狗已经很老了。";
    await world.keep([{ text: PETS, captions: ["a cat on a sofa"] }, chinese]);
    expect(world.embedder.calls).toEqual([[`${PETS} [a cat on a sofa]`, chinese]]);
  });
});

describe("what is embedded", () => {
  test("each sentence with its speaker, captions as sentences, all drafts in one call, nothing twice", async () => {
    const world = await open({}, { input: { unit: "turn", with_speaker: true } });
    const { notes } = await world.keep([
      { speaker: "Mia", text: "Look at what I found today! Oh.", captions: ["a cat", "a dog on a sofa"] },
      { speaker: "小美", text: "这只猫真的很可爱。它叫什么名字呢？" },
    ]);
    expect(world.embedder.calls).toEqual([
      [
        "Mia: Look at what I found today! Oh. [a cat] [a dog on a sofa]",
        "Mia: Look at what I found today!",
        "Mia: a cat",
        "Mia: a dog on a sofa",
        "小美: 这只猫真的很可爱。它叫什么名字呢？",
        "小美: 这只猫真的很可爱。",
        "小美: 它叫什么名字呢？",
      ],
    ]);
    expect(notes).toMatchObject({ blended_texts: 7 });
  });

  test("no speaker where the content names none, of the turn before neither", async () => {
    const said = [
      { speaker: "Mia", text: TEA },
      { speaker: "Bob", text: PETS },
    ];
    const world = await open({}, { input: { unit: "turn", with_speaker: false } });
    const { drafts } = await world.keep(said);
    expect(world.embedder.calls[0]).toEqual([TEA, PETS, "I have a cat and a cat.", "My dog is very old."]);
    expect(drafts).toHaveLength(2);
  });

  test("a packet by the sentences of each of its turns", async () => {
    const world = await open({}, { input: { unit: "packet", with_speaker: true } });
    await world.keep([
      { speaker: "Mia", text: "I have a cat." },
      { speaker: "Bob", text: "My dog is very old." },
    ]);
    expect(world.embedder.calls).toEqual([
      ["Mia: I have a cat.\nBob: My dog is very old.", "Mia: I have a cat.", "Bob: My dog is very old."],
    ]);
  });

  test("what an action before it chose to embed is blended, and vectors of other fields stay", async () => {
    const note = { extract_type: "note", note_prompt: "write_note", embed_note: "all" };
    const feel = chosen(score, { score_type: "emotion", emotion_prompt: "score_emotion" });
    const { spaces } = countingEmbedder();
    const world = await open(
      {},
      {
        pre: [chosen(extract, note), feel, chosen(blendEmbed, OPTIONS)],
        fields: [textField("content", spaces), measureField("emotion", 8)],
      },
    );
    const { drafts } = await world.keep([PETS]);
    expect(drafts[0]?.embedText).not.toBe(PETS);
    expect(world.embedder.calls[0]?.[0]).toBe(drafts[0]?.embedText);
    expect(drafts[0]?.vectors.map(({ space }) => space)).toEqual(["#emotion", "count-en"]);
  });
});

describe("the turn before", () => {
  test("is of the same session, in the packet or shown before it", async () => {
    const alone = await pets({}, [bob(PETS)]);
    expect(await pets({})).not.toEqual(alone);
    const other = await pets({}, [
      { ...bob(TEA), session: "one" },
      { ...bob(PETS), session: "two" },
    ]);
    expect(other).toEqual(alone);
    const world = await open({}, UNNAMED);
    const turns = await appendTurns(world.storage, ALICE, [bob(TEA), bob(PETS)], world.clock);
    await world.pipeline.insert(ALICE, turns.slice(1), { before: turns.slice(0, 1) });
    expect((await stored(world))[PETS]).toEqual(await pets({}));
  });

  test("is not one that somebody judged, and what was judged is embedded as it was worded", async () => {
    const judgment = {
      type: "knowledge",
      reasoning: "",
      tags: ["tea"],
      strength: 10,
      pinned: true,
      importance: null,
    };
    const judged = { text: "Mia has a cat. Her dog is very old.", metadata: { [JUDGMENT]: judgment } };
    const world = await open({}, UNNAMED);
    const { drafts } = await world.keep([bob(TEA), judged, bob(PETS)]);
    expect((await stored(world))[PETS]).toEqual(await pets({}));
    expect(drafts.find((draft) => draft.judged)?.vectors[0]?.values).toEqual(Float32Array.of(1, 1, 1, 1, 0));
  });
});

describe("vectors of two spaces never meet", () => {
  test("a turn after one in another language, and sentences in another, count nothing", async () => {
    expect(await pets({}, [bob("我们去喝茶好不好？"), bob(PETS)])).toEqual(await pets({}, [bob(PETS)]));
    const world = await open({ before_weight: 0 }, UNNAMED);
    const mixed = "I have a cat at home and also another cat. 我的狗已经很老了。";
    await world.keep([bob(mixed), bob("¿¡…!?")]);
    // Ten English words beside eight Chinese characters: (2, 1)/√5 + (1, 0), the Chinese sentence left out.
    const made = await stored(world);
    expect(made[mixed]?.slice(0, 2)).toEqual([0.9732, 0.2298]);
    // What nobody reads has no vector, and stops no other.
    expect(made["¿¡…!?"]).toBeNull();
  });
});

test("it claims what it needs: vectors, and a turn before each window only if that counts", () => {
  const claims = (more: JsonObject) => blendEmbed.claims?.(blendEmbed.options.parse({ ...OPTIONS, ...more }));
  expect(claims({})).toEqual({ abilities: ["vector"], turnsBefore: 1 });
  expect(claims({ before_weight: 0 })?.turnsBefore).toBeUndefined();
});
