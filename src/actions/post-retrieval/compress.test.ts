import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { summarize } from "../../tasks/summarize.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { promptVariants } from "../../testing/prompt-variant.ts";
import { openRecallWorld, type RecallSetup } from "../../testing/recall-world.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { splitSentences } from "../../text/sentences.ts";
import { countTokens } from "../../text/token-count.ts";
import { splitWords } from "../../text/words.ts";
import { compress } from "./compress.ts";
import { format } from "./format.ts";
import { noPostRetrieval } from "./none.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: JsonObject, setup: RecallSetup = {}) {
  const world = await openRecallWorld([chosen(compress, options)], setup);
  closing.push(world.close);
  return world;
}

const ENGLISH =
  "The garden has roses and a pond. Roses need water from the pond. I had lunch. The pond in the garden feeds the roses.";
const CHINESE = "花园里有玫瑰和池塘。玫瑰需要池塘里的水。我吃了午饭。花园的池塘浇灌着玫瑰。";

describe("extractive", () => {
  const WHOLE = { compress_type: "extractive", unit: "hit", ratio: 1, max_tokens: null };

  test("[S0-95] ratio and max_tokens bound each memory; the least central sentence goes first, order stays", async () => {
    const run = async (more: JsonObject) => {
      const { add, ask } = await open({ ...WHOLE, ...more });
      await add(ENGLISH, 0);
      await add(CHINESE, 10);
      return (await ask("?")).hits.map(({ text }) => text);
    };
    expect(await run({})).toEqual([ENGLISH, CHINESE]);
    const [english = "", chinese = ""] = await run({ ratio: 0.85 });
    expect(english).toBe(ENGLISH.replace(" I had lunch.", ""));
    expect(chinese).toBe(CHINESE.replace("我吃了午饭。", ""));
    const [short = ""] = await run({ max_tokens: 12 });
    expect(countTokens(short)).toBeLessThanOrEqual(12);
    for (const { text } of splitSentences(short)) expect(ENGLISH).toContain(text);
  });

  test("max_tokens cuts a single sentence that is too long; the ratio alone leaves it whole", async () => {
    const run = async (text: string, more: JsonObject) => {
      const { add, ask } = await open({ ...WHOLE, ...more });
      await add(text, 0);
      return (await ask("?")).hits[0]?.text ?? "";
    };
    for (const text of ["word ".repeat(500).trim(), "我们在公园里散步".repeat(50)]) {
      const short = await run(text, { max_tokens: 10 });
      expect(countTokens(short)).toBeLessThanOrEqual(10);
      expect(countTokens(short)).toBeGreaterThan(5);
      expect(await run(text, { ratio: 0.5 })).toBe(text);
    }
  });

  test("unit all: one text of all, and a memory of which nothing is central leaves", async () => {
    const run = async (unit: string) => {
      const { add, ask } = await open({ ...WHOLE, unit, ratio: 0.9 });
      await add("Roses need water from the pond in the garden.", 0);
      await add("Lunch.", 10);
      await add("The pond in the garden feeds the roses.", 20);
      return (await ask("?")).hits.map(({ text }) => text);
    };
    expect(await run("hit")).toHaveLength(3);
    expect(await run("all")).toEqual([
      "Roses need water from the pond in the garden.",
      "The pond in the garden feeds the roses.",
    ]);
  });
});

describe("abstractive", () => {
  const SHORT = { compress_type: "abstractive", unit: "hit", max_words: 6, summarize_prompt: "summarize" };

  test("[C-24] one summary for each that is too long; the short stay as they are and cost nothing", async () => {
    const { model, server, close } = await scriptedModel('{"summary": "Roses and a pond."}');
    closing.push(close);
    const { add, ask } = await open(SHORT, { model });
    await add(ENGLISH, 0);
    await add("短的。", 10);
    const { hits } = await ask("?");
    expect(hits.map(({ text }) => text)).toEqual(["Roses and a pond.", "短的。"]);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.body)).toContain("I had lunch");
  });

  test("[C-24] unit all: one summary of all is what is shown; the hits stay as evidence", async () => {
    const { add, ask } = await open({ ...SHORT, unit: "all", max_words: 8 });
    await add(ENGLISH, 0);
    await add("Roses like the pond.", 10);
    const { context, hits } = await ask("?");
    expect(context).not.toBe("");
    expect(hits.map(({ text }) => text)).toEqual([context, ""]);
    expect(hits.map(({ content }) => content)).toEqual([ENGLISH, "Roses like the pond."]);
    expect((await (await open({ ...SHORT, unit: "all" })).ask("?")).context).toBeNull();
  });

  test.each([
    [chosen(noPostRetrieval, { conversation_format_prompt: "" }), "SUM"],
    [
      chosen(format, {
        format_type: "template",
        memory_template: "{{number}}. {{text}}",
        template: "{{memories}}",
        separator: "\n",
        empty_text: "",
        date_style: "day",
      }),
      "1. SUM",
    ],
    [
      chosen(format, {
        format_type: "structured",
        sections: [{ of: "memories", title: "All", kinds: null, tiers: null }],
      }),
      "## All\n- SUM",
    ],
    [
      chosen(format, { format_type: "chat", role_mapping: {}, default_role: "user", timestamps: false }),
      "user: SUM",
    ],
    [
      chosen(format, {
        format_type: "xml",
        tags: { memories: "all", memory: "one" },
        attributes: [],
      }),
      "<all>\n<one>SUM</one>\n</all>",
    ],
  ])("[C-24] whatever form comes after it shows the summary and nothing else: %#", async (after, shown) => {
    const { model, close } = await scriptedModel('{"summary": "一句话 of all."}');
    const world = await openRecallWorld([chosen(compress, { ...SHORT, unit: "all" }), after], { model });
    closing.push(close, world.close);
    await world.add(ENGLISH, 0);
    await world.add(CHINESE, 10);
    expect((await world.ask("?")).context).toBe(shown.replace("SUM", "一句话 of all."));
  });

  test("a summary that is longer than asked for is cut: after a sentence, or else after a word", async () => {
    const run = async (summary: string, text = ENGLISH) => {
      const { model, close } = await scriptedModel(JSON.stringify({ summary }));
      closing.push(close);
      const { add, ask } = await open(SHORT, { model });
      await add(text, 0);
      return (await ask("?")).hits[0]?.text;
    };
    expect(await run("Roses and a pond. Also a very long lunch.")).toBe("Roses and a pond.");
    expect(await run("one two three four five six seven eight")).toBe("one two three four five six");
    const chinese = "花园里有很多很多红色的玫瑰和一个池塘";
    const cut = (await run(chinese, CHINESE)) ?? "";
    expect(chinese.startsWith(cut)).toBe(true);
    expect(splitWords(cut)).toHaveLength(6);
  });

  test("without a model sentences stand in, in Chinese, too; max_words bounds them", async () => {
    const run = async (max_words: number) => {
      const { add, ask } = await open({ ...SHORT, max_words });
      await add(CHINESE, 0);
      return (await ask("？")).hits[0]?.text ?? "";
    };
    expect((await run(5)).length).toBeLessThan((await run(15)).length);
    expect(CHINESE).toContain((await run(5)).slice(0, 4));
  });

  test("a bad reply falls back or is thrown, as the preset says", async () => {
    for (const onBadReply of ["fallback", "throw"] as const) {
      const { model, close } = await scriptedModel("no JSON at all");
      closing.push(close);
      const { add, ask } = await open(SHORT, { model, onBadReply });
      await add(ENGLISH, 0);
      if (onBadReply === "throw") await expect(ask("?")).rejects.toMatchObject({ code: "reply_invalid" });
      else
        expect((await ask("?")).stages.at(-2)?.tasks).toMatchObject([{ task: "summarize", path: "local" }]);
    }
  });

  test("the prompt is the one that the preset names", async () => {
    const own = await promptVariants({ pirate: summarize });
    const { model, server, close } = await scriptedModel('{"summary": "Arr, roses."}');
    closing.push(close, own.close);
    const { prompts } = own;
    const { add, ask } = await open({ ...SHORT, summarize_prompt: "pirate" }, { model, prompts });
    await add(ENGLISH, 0);
    await ask("?");
    expect(JSON.stringify(server.requests[0]?.body)).toContain("This is pirate.");
    const claims = compress.claims?.({
      ...SHORT,
      compress_type: "abstractive",
      unit: "hit",
      summarize_prompt: "pirate",
    });
    expect(claims?.prompts).toMatchObject([{ prompt: "pirate", task: { name: "summarize" } }]);
  });
});
