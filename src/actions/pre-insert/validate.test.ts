import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { PUBLIC, parseScope } from "../../base/scope.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { hashEmbedder } from "../../testing/hash-embedder.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld, type PreInsertSetup } from "../../testing/pre-insert-world.ts";
import { extract } from "./extract.ts";
import { triEmbed } from "./tri-embed.ts";
import { validate } from "./validate.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(rule: JsonObject, on_fail = "skip", more: Partial<PreInsertSetup> = {}) {
  const world = await openPreInsertWorld({
    pre: [chosen(validate, { validation_rules: [rule], on_fail })],
    ...more,
  });
  closing.push(world.close);
  return world;
}

const length = (min_chars: number | null, max_chars: number | null): JsonObject => ({
  rule: "length",
  min_chars,
  max_chars,
});
const blacklist = { rule: "blacklist", words: ["ass", "密码"] };
const exact = (strategy: string): JsonObject => ({ rule: "duplicate", match: "exact", strategy });
const near = (threshold: number): JsonObject => ({ rule: "duplicate", match: "near", threshold });

async function kept(rule: JsonObject, texts: readonly string[], on_fail = "skip"): Promise<string[]> {
  return (await (await open(rule, on_fail)).keep(texts)).entries.map(({ content }) => content);
}

describe("[S0-31][S0-92] rules", () => {
  test("length, in characters whatever the script", async () => {
    expect(await kept(length(3, 5), ["ab", "abc", "abcdef", "你好", "你好吗"])).toEqual(["abc", "你好吗"]);
    expect(await kept(length(null, 3), ["a", "abcd"])).toEqual(["a"]);
    expect(await kept(length(2, null), ["a", "abcd"])).toEqual(["abcd"]);
    expect(await kept(length(null, 2), ["👍🏽👍", "👩‍👩‍👧‍👧 family"])).toEqual([]);
  });

  test("language", async () => {
    const texts = ["Hello there", "你好，很高兴认识你", "Привет, как дела", "123"];
    expect(await kept({ rule: "language", allowed: ["en"] }, texts)).toEqual(["Hello there"]);
    expect(await kept({ rule: "language", allowed: ["zh", "other"] }, texts)).toEqual(texts.slice(1));
  });

  test("blacklist: whole words in English, anywhere in Chinese, both scripts", async () => {
    const texts = ["Pass the glass", "What an ASS!", "我的密码是一二三", "我的密碼", "没事"];
    expect(await kept(blacklist, texts)).toEqual(["Pass the glass", "没事"]);
  });

  test.each(["structured", "lexical", "semantic"])("exact duplicates, looked for by %s", async (strategy) => {
    const world = await open(exact(strategy));
    await world.keep(["I live in Rome.", "我住在上海。"]);
    const { entries, notes } = await world.keep([
      "I live in Rome.",
      "I live in Rome!",
      "我住在上海。",
      "New.",
      "New.",
    ]);
    expect(entries.map(({ content }) => content)).toEqual(["I live in Rome!", "New."]);
    expect(notes.broken_rules).toHaveLength(3);
    expect(notes.broken_rules).toContainEqual({ rule: "duplicate", problem: expect.any(String) });
  });

  test("exact duplicates in the window of short_term_memory", async () => {
    const options = { collection_name: "notes", top_k: 5, maxlen: 10, vitality: null };
    const world = await open(exact("recent"), "skip", { service: { name: "short_term_memory", options } });
    await world.keep(["I live in Rome."]);
    expect((await world.keep(["I live in Rome.", "I live in Berlin."])).entries).toHaveLength(1);
  });

  test("near duplicates by meaning, in the store and in the packet", async () => {
    const world = await open(near(0.9));
    await world.keep(["I live in a small house in Rome"]);
    const { entries } = await world.keep([
      "I live in a small house in Rome!",
      "我住在上海的一个小房子里",
      "我住在上海的一个小房子里。",
      "Completely different",
    ]);
    expect(entries.map(({ content }) => content)).toEqual([
      "我住在上海的一个小房子里",
      "Completely different",
    ]);
    expect(await kept(near(0.3), ["I live in a house in Rome", "I live in a flat in Rome"])).toHaveLength(1);
    expect(await kept(near(0.99), ["I live in a house in Rome", "I live in a flat in Rome"])).toHaveLength(2);
  });

  test("a packet is embedded in one call, and what is kept is not embedded again", async () => {
    const calls: number[] = [];
    const embedder = hashEmbedder();
    const counting = {
      ...embedder,
      async embedDocuments(...given: Parameters<typeof embedder.embedDocuments>) {
        calls.push(given[0].length);
        return embedder.embedDocuments(...given);
      },
    };
    const world = await open(near(0.95), "skip", { embedder: counting });
    const texts = Array.from({ length: 20 }, (_, i) => `Number ${i} is ${"x".repeat(i)} 第${i}个`);
    const { entries } = await world.keep(texts);
    expect(entries.length).toBeGreaterThan(1);
    expect(calls).toEqual([20]);
  });

  test.each([exact("structured"), near(0.9)])("what others said is no duplicate: $match", async (rule) => {
    const world = await open(rule);
    await world.say(["I live in Rome."], PUBLIC);
    await world.say(["I live in Rome."], parseScope("bob"));
    expect((await world.keep(["I live in Rome."])).entries).toHaveLength(1);
    expect((await world.keep(["I live in Rome."])).entries).toHaveLength(0);
  });

  test.each([exact("structured"), exact("lexical"), exact("semantic"), near(0.9)])(
    "a duplicate is found behind a hundred public ones: $match",
    async (rule) => {
      const world = await open(rule);
      const texts = ["I live in Rome.", "我住在上海。"];
      expect((await world.keep(texts)).entries).toHaveLength(2);
      for (const content of Array.from({ length: 50 }, () => texts).flat()) {
        const vectors = [await hashEmbedder().embedDocument(content)];
        await world.service.insert(PUBLIC, { content, vectors: vectors.filter((one) => one !== undefined) });
      }
      expect((await world.keep(texts)).entries).toEqual([]);
    },
  );
});

describe("[B.0.2] on_fail", () => {
  test("warn keeps the draft with a remark", async () => {
    const world = await open(length(null, 3), "warn");
    const { entries, notes } = await world.keep(["abcdef", "abc"]);
    expect(entries.map(({ metadata }) => metadata.validation)).toEqual([
      ["length: has 6 characters, more than 3"],
      undefined,
    ]);
    expect(notes.broken_rules).toHaveLength(1);
  });

  test("error stops the insert, says which rule, and quotes nobody", async () => {
    const world = await open(blacklist, "error");
    const failing = world.keep(["fine", "我的密码是 secret"]);
    await expect(failing).rejects.toMatchObject({ code: "input_invalid", details: { rule: "blacklist" } });
    await expect(failing).rejects.not.toThrow(/secret/);
    expect(await world.all()).toEqual([]);
  });

  test("transform cuts what is too long and masks what is forbidden; the rest is left out", async () => {
    expect(
      await kept(length(3, 12), ["Ada moved to Rome", "我上个月搬到了上海，很喜欢这里", "ab"], "transform"),
    ).toEqual(["Ada moved to", expect.stringMatching(/^我上个月搬到了上海/)]);
    expect(await kept(blacklist, ["What an Ass!", "我的密碼是一"], "transform")).toEqual([
      "What an ***!",
      "我的**是一",
    ]);
    expect(await kept({ rule: "language", allowed: ["en"] }, ["你好"], "transform")).toEqual([]);
  });

  test("masks the word in everything that is stored, whatever its width and script", async () => {
    const say = (content: string, more: Partial<Draft>): Partial<Draft> => ({ content, ...more });
    const change = defineAction({
      stage: "pre_insert",
      name: "change",
      summary: "Gives drafts what other actions would.",
      options: z.strictObject({}),
      run: ({ drafts }) =>
        drafts.map((draft) => ({
          ...draft,
          ...say("My ＡＳＳ，我的密碼", {
            embedText: "ass 密码",
            tags: ["ass", "tea"],
            metadata: { keywords: ["密码", "tea"], persona: [{ text: "an ass" }] },
            insertParams: {
              originalText: "I said ass",
              summary: "一个密码",
              triples: [{ subject: "Ada", relation: "has", object: "密碼" }],
            },
          }),
        })),
    });
    const { entries, drafts } = await (
      await open(blacklist, "transform", {
        pre: [chosen(change, {}), chosen(validate, { validation_rules: [blacklist], on_fail: "transform" })],
      })
    ).keep(["x"]);
    expect(JSON.stringify([entries, drafts[0]?.embedText])).not.toMatch(/ass|ＡＳＳ|密[码碼]/u);
    expect(entries[0]).toMatchObject({ content: "My ***，我的**", tags: ["***", "tea"] });
    expect(entries[0]?.metadata).toMatchObject({ keywords: ["**", "tea"], original_text: "I said ***" });
  });

  test("a word that stands in the metadata alone breaks the rule, too", async () => {
    const pre = [
      chosen(extract, {
        extract_type: "keyword",
        keyword_prompt: "extract_keywords",
        max_keywords: 3,
        add_to_metadata: true,
      }),
      chosen(validate, { validation_rules: [blacklist], on_fail: "skip" }),
    ];
    const chat = JSON.stringify({ keywords: ["密码"] });
    expect(
      (await (await open(blacklist, "skip", { pre, chat })).keep(["Something secret."])).entries,
    ).toEqual([]);
  });

  test("what is cut keeps what is known of it, and its insert method what that needs", async () => {
    const pre = [
      chosen(triEmbed, { triple_extraction_prompt: "extract_triples", max_triples: 5, entry: "passage" }),
      chosen(validate, { validation_rules: [length(null, 20)], on_fail: "transform" }),
    ];
    const { entries } = await (await open({}, "skip", { pre })).keep([
      "Ada lives in Rome. Bob works for Google.",
    ]);
    expect(entries).toMatchObject([{ kind: "triple", content: expect.stringMatching(/^Ada lives in/) }]);
  });

  test("bounds that nothing can keep are refused", () => {
    const parsed = validate.options.safeParse({ validation_rules: [length(9, 3)], on_fail: "skip" });
    expect(parsed.error?.message).toContain("must not be above max_chars");
  });

  test("rules are asked in order, and see what those before put right", async () => {
    const world = await openPreInsertWorld({
      pre: [
        chosen(validate, {
          validation_rules: [length(null, 8), { rule: "duplicate", match: "exact", strategy: "structured" }],
          on_fail: "transform",
        }),
      ],
    });
    closing.push(world.close);
    const { entries } = await world.keep(["Ada came to Rome", "Ada came to Berlin"]);
    expect(entries.map(({ content }) => content)).toEqual(["Ada came"]);
  });

  test("it claims the ways of looking that its rules use", () => {
    const claims = (...validation_rules: JsonObject[]) =>
      validate.claims?.(validate.options.parse({ validation_rules, on_fail: "skip" }));
    expect(claims(length(1, 2))).toEqual({});
    expect(claims(exact("recent"))).toEqual({ hints: [{ strategy: "recent", names: [] }] });
    expect(claims(near(0.5))).toMatchObject({ embedder: true, hints: [{ strategy: "semantic" }] });
  });
});
