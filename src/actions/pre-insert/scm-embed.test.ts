import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPreInsertWorld } from "../../testing/pre-insert-world.ts";
import { estimateTokens } from "../../text/token-count.ts";
import { scmEmbed } from "./scm-embed.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function keep(more: JsonObject, texts: readonly string[]) {
  const options = {
    embed_type: "three_way",
    insert_method: "scm_insert",
    summary_threshold_tokens: 15,
    summarize_prompt: "summarize",
    summary_max_tokens: 12,
    embed_summary: false,
    ...more,
  };
  const world = await openPreInsertWorld({ pre: [chosen(scmEmbed, options)] });
  closing.push(world.close);
  return world.keep(texts);
}

const LONG = "Ada moved to Rome in spring. She found a flat near the river. Her dog Rex came later.";
const LANG = "小美去年春天搬到了上海。她在河边找到了房子。她的狗后来也来了。";

describe("scm_embed", () => {
  test("[S0-32][papers 7] the original with its turn index, and a summary of what is long", async () => {
    const { entries, drafts } = await keep({}, [LONG, LANG, "Short."]);
    expect(entries.map(({ content }) => content)).toEqual([LONG, LANG, "Short."]);
    expect(entries.map(({ metadata }) => metadata.turn_index)).toEqual([1, 2, 3]);
    for (const { metadata, content } of entries.slice(0, 2)) {
      expect(metadata.summary).not.toBe(content);
      expect(estimateTokens(String(metadata.summary))).toBeLessThanOrEqual(12);
    }
    expect(drafts[0]).toMatchObject({ insertMethod: "scm_insert" });
  });

  test("[P7-5][papers 7] what is not longer than the threshold is its own summary", async () => {
    const short = await keep({}, ["Short."]);
    expect(short.entries[0]?.metadata.summary).toBe("Short.");
    const { entries } = await keep({ summary_threshold_tokens: 300 }, [LONG]);
    expect(entries[0]?.metadata.summary).toBe(LONG);
  });

  test("embed_summary and summary_max_tokens", async () => {
    const { drafts, entries } = await keep({ embed_summary: true }, [LONG]);
    expect(drafts[0]?.embedText).toBe(entries[0]?.metadata.summary);
    expect((await keep({}, [LONG])).drafts[0]?.embedText).toBeUndefined();
    const longer = await keep({ summary_max_tokens: 20 }, [LONG]);
    expect(String(longer.entries[0]?.metadata.summary).length).toBeGreaterThan(
      String(entries[0]?.metadata.summary).length,
    );
  });
});
