import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { presetDiff } from "./diff.ts";
import { loadPreset, parsePreset } from "./load.ts";

const BASE = `name: base
summary: Is extended.
defaults: recommended
service: { name: short_term_memory, collection_name: base, maxlen: 5 }
`;

/** Files in a folder of their own; loads the first. */
async function load(files: Readonly<Record<string, string>>): Promise<ReturnType<typeof loadPreset>> {
  const folder = await mkdtemp(join(tmpdir(), "neuromem-inherit-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return loadPreset(join(folder, Object.keys(files)[0] ?? ""));
}

const child = (text: string, base = BASE) =>
  load({ "child.yaml": `extends: ./b/base.yaml\n${text}`, "b/base.yaml": base });

describe("a preset that extends another", () => {
  test("changes what it writes and keeps the rest; older and newer names are one option", async () => {
    const preset = await child("name: mine\nservice: { max_dialog: 9 }\nstages: { pre_retrieval: none }\n");
    expect(preset).toMatchObject({
      name: "mine",
      summary: "Is extended.",
      service: { name: "short_term_memory", options: { maxlen: 9, collection_name: "base" } },
    });
    expect(preset.stages.pre_retrieval.map(({ action }) => action)).toEqual(["none"]);
  });

  test("of another service takes none of the old one's options", async () => {
    const preset = await child("service: { name: neuromem_vdb, collection_name: other }\n");
    expect(preset.service).toMatchObject({ name: "neuromem_vdb", options: { collection_name: "other" } });
  });

  test.each(["service: hybrid_memory", "service: null", "stages: []", "stages: null", "models: 5"])(
    "is refused where it writes something of the wrong kind: %s",
    async (text) => {
      await expect(child(`${text}\n`)).rejects.toMatchObject({
        code: "preset_invalid",
        message: expect.stringContaining("child.yaml:2"),
      });
    },
  );

  test("a fault is shown in the file that has it", async () => {
    const wrong = child("name: mine\n", BASE.replace("maxlen", "maxlin"));
    await expect(wrong).rejects.toMatchObject({
      message: expect.stringMatching(/b\/base\.yaml:4: service\.maxlin/),
    });
  });

  test("a folder of prompts is meant from the file that names it", async () => {
    const files = {
      "child.yaml": "extends: ./b/base.yaml\nname: mine\n",
      "b/base.yaml": `${BASE}prompts: ./own\n`,
      "b/own/gate_memory.en.md": "x",
    };
    expect((await load(files)).prompts).toMatch(/b[\\/]own$/);
    await expect(child("prompts: ./absent\n")).rejects.toMatchObject({
      message: expect.stringContaining("no folder"),
    });
  });

  test("a circle and too long a chain are told apart", async () => {
    const circle = load({ "a.yaml": "extends: ./b.yaml\n", "b.yaml": "extends: ./a.yaml\n" });
    await expect(circle).rejects.toMatchObject({ message: expect.stringContaining("circle") });
    const links = Array.from({ length: 10 }, (_, n) => [`p${n}.yaml`, `extends: ./p${n + 1}.yaml\n`]);
    const chain = load({ ...Object.fromEntries(links), "p10.yaml": BASE });
    await expect(chain).rejects.toMatchObject({ message: expect.stringContaining("More than 8") });
  });
});

describe("presetDiff", () => {
  const read = (stages: string) => parsePreset(`${BASE}stages: { ${stages} }\n`, "x.yaml");

  test("sees the order of actions, both ways", async () => {
    const filter = "{ action: filter, filter_type: top_k, k: 3 }";
    const rerank = "{ action: rerank, rerank_type: time_weighted }";
    const one = await read(`post_retrieval: [${filter}, ${rerank}]`);
    const other = await read(`post_retrieval: [${rerank}, ${filter}]`);
    const order = { part: "post_retrieval", path: "order", a: ["filter", "rerank"], b: ["rerank", "filter"] };
    expect(presetDiff(one, other)).toEqual([order]);
    expect(presetDiff(other, one)).toEqual([{ ...order, a: order.b, b: order.a }]);
    expect(presetDiff(one, one)).toEqual([]);
  });
});
