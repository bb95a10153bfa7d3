import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TASKS } from "./index.ts";
import { checkPrompts, openPrompts, packagePrompts } from "./prompt-library.ts";
import { TASK_LANGUAGES } from "./task.ts";

const folder = mkdtempSync(join(tmpdir(), "neuromem-prompts-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** Asked by the laboratory, which stands above the tasks. */
const LAB_PROMPTS = ["judge_lenient", "judge_strict"];
const PROMPTS = resolve(import.meta.dirname, "../../prompts");

describe("[C-30] the package's prompts", () => {
  test("every task has one in every language, with exactly its placeholders", async () => {
    await checkPrompts(Object.values(TASKS));
  });

  test("no file is without a task", () => {
    // Rules, and what talks with tools are asked by.
    const others = ["common", "rules_tools", "self_edit", "page_search", "memory_tools", ...LAB_PROMPTS];
    const ids = new Set([...others, ...Object.values(TASKS).map((task) => task.prompt)]);
    const expected = [...ids].flatMap((id) => TASK_LANGUAGES.map((language) => `${id}.${language}.md`));
    expect(readdirSync(PROMPTS).sort()).toEqual(expected.sort());
  });

  test("[S2-6] [S2-7] [S2-8] [S2-9] [S2-10] [S2-11] [S2-12] compression asks for all of it, with a worked example", async () => {
    const { system } = await packagePrompts.get(TASKS.compress_dialogue, "en");
    for (const asked of [
      /No pronouns/,
      /No relative time/,
      /one complete sentence/,
      /ISO 8601/,
      /place and action concrete/,
      /Example\./,
      /\{"entries": \[/,
    ]) {
      expect(system).toMatch(asked);
    }
    const chinese = await packagePrompts.get(TASKS.compress_dialogue, "zh");
    for (const asked of [/不用代词/, /不用相对时间/, /完整句子/, /ISO 8601/, /地点和动作要具体/, /示例/]) {
      expect(chinese.system).toMatch(asked);
    }
  });

  test("the folder lies where the built package looks for it, too", () => {
    // From src/tasks/ and dist/tasks/ alike: two folders up.
    const built = new URL("../../prompts", "file:///package/dist/tasks/prompt-library.js");
    expect(built.pathname).toBe("/package/prompts");
  });
});

describe("a caller's own prompts", () => {
  test("come before the package's, and still have the common rules under them", async () => {
    writeFileSync(join(folder, "can_answer.en.md"), "Well?\n---\n{{question}} {{text}}");
    const { system } = await openPrompts([folder]).get(TASKS.can_answer, "en");
    expect(system).toMatch(/^Well\?\n\nRules that hold/);
    const other = await openPrompts([folder]).get(TASKS.gate_memory, "en");
    expect(other).toEqual(await packagePrompts.get(TASKS.gate_memory, "en"));
  });

  test("are refused with file and name if they do not fit, and read again once they do", async () => {
    const prompts = openPrompts([folder]);
    writeFileSync(join(folder, "score_importance.zh.md"), "打分\n---\n{{text}}");
    await expect(prompts.get(TASKS.score_importance, "zh")).rejects.toMatchObject({
      code: "preset_invalid",
      message: expect.stringMatching(/score_importance\.zh\.md uses \{\{text\}\}/),
    });
    writeFileSync(join(folder, "score_importance.zh.md"), "打分\n---\n{{memory}}");
    expect((await prompts.get(TASKS.score_importance, "zh")).user).toBe("{{memory}}");
  });

  test("a prompt that is nowhere is named, with the places that were looked at", async () => {
    const missing = packagePrompts.get({ prompt: "no_such", placeholders: [] }, "zh");
    await expect(missing).rejects.toMatchObject({
      code: "unknown_name",
      message: expect.stringMatching(/no_such\.zh\.md/),
    });
  });
});
