import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { yamlBlocks } from "./yaml-blocks.ts";
import { parseYaml } from "./yaml-file.ts";

test("block by block the recommended values are what they are as a whole", async () => {
  const file = "presets/recommended.yaml";
  const text = await readFile(new URL(`../../${file}`, import.meta.url), "utf8");
  const blocks = yamlBlocks(text, file);
  const all = Object.fromEntries(
    blocks.sections.map((section) => [
      section,
      Object.fromEntries(blocks.names(section).map((name) => [name, blocks.value(section, name)])),
    ]),
  );
  expect(all).toEqual(parseYaml(text, file).value);
});

test("what is wrong is found in its line, in a block when it is asked for", () => {
  const blocks = yamlBlocks('one:\n  a: { x: 1 }\n  b: { y: "二 }\n', "f.yaml");
  expect(blocks.value("one", "a")).toEqual({ x: 1 });
  expect(blocks.value("one", "c")).toBeUndefined();
  expect(blocks.value("two", "a")).toBeUndefined();
  expect(() => blocks.value("one", "b")).toThrow(/^f\.yaml:[34]: /);
  for (const text of [
    "one: 1\n",
    "one:\n a: 1\n",
    "one:\n  a: 1\n  a: 2\n",
    "one:\none:\n",
    "  a: 1\n",
    "- 张\n",
  ])
    expect(() => yamlBlocks(text, "f.yaml")).toThrow(/^f\.yaml:\d: This is neither/);
});
