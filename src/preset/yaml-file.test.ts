import { describe, expect, test } from "vitest";
import { parsePreset } from "./load.ts";
import { parseYaml } from "./yaml-file.ts";

async function refused(text: string): Promise<string> {
  const outcome = await parsePreset(text, "x.yaml").catch((error: unknown) => error);
  expect(outcome).toMatchObject({ code: "preset_invalid" });
  return String(outcome);
}

const START = "name: x\nsummary: Y.\ndefaults: recommended\n";

describe("a YAML file", () => {
  test.each([
    ["an alias of nothing", "service: *nope\n", /x\.yaml:\d+: /],
    ["a tag nobody knows", "service: { name: !foo neuromem_vdb }\n", /x\.yaml:4: /],
    ["infinity", "service: { name: neuromem_vdb, top_k: .inf }\n", /x\.yaml:4: /],
    ["a trap", "__proto__: { polluted: true }\nservice: { name: neuromem_vdb }\n", /x\.yaml:\d+: /],
    ["a tab as indentation", "service:\n\tname: neuromem_vdb\n", /x\.yaml:5: /],
  ])("with %s is refused with its line", async (_, text, expected) => {
    expect(await refused(`${START}${text}`)).toMatch(expected);
  });

  test("that is empty is refused", async () => {
    expect(await refused("")).toContain("x.yaml:1: A preset is a map");
  });

  test("may have a byte order mark, other line ends, anchors and many aliases", async () => {
    const text = `\uFEFF${START}input: &in { unit: turn, with_speaker: true }\nservice: { name: neuromem_vdb }\n`;
    const preset = await parsePreset(text.replaceAll("\n", "\r\n"), "x.yaml");
    expect(preset.input).toMatchObject({ unit: "turn", with_speaker: true });
    const many = `a: &a 1\nb: [${Array(60).fill("*a").join(", ")}]\n`;
    expect(parseYaml(many, "x.yaml").value).toMatchObject({ a: 1 });
  });

  test("with thousands of wrong keys is refused at once, and tells twenty of them", async () => {
    const wrong = Array.from({ length: 5000 }, (_, n) => `wrong${n}: 1\n`).join("");
    const started = performance.now();
    const message = await refused(`${START}service: { name: neuromem_vdb }\n${wrong}`);
    expect(message).toContain("and 4980 more");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("what is wrong is said in words that help", () => {
  test.each([
    ["service: { name: neuromem_vdb }\nmodels: { embedder: builtin }\n", 'mean "built_in"'],
    ["service: { name: neuromem_vdb, vitality: { policy: lruu } }\n", 'Did you mean "lru"?'],
    ["service: { name: neuromem_vdb }\nmodels: { chat: { endpoint: opnai, model: m } }\n", 'mean "openai"'],
    [
      "service: { name: neuromem_vdb }\nmodels: { chat: { endpoint: openai, model: m, api_key: 'sk-$" +
        "{X}' } }\n",
      "dollar sign",
    ],
    [
      "service: { name: graph_memory }\nstages: { post_retrieval: { action: ppr, rerank_type: semantic } }\n",
      "stands for",
    ],
    ["service: { name: neuromem_vdb }\nstages: { post_retrieval: { action: constructor } }\n", "no action"],
  ])("%s", async (text, expected) => {
    expect(await refused(`${START}${text}`)).toContain(expected);
  });

  test("a wrong key at the top does not hide what is wrong below", async () => {
    const message = await refused(`${START}summry: z\nservice: { name: neuromem_vdb, topk: 1 }\n`);
    expect(message).toContain("summry");
    expect(message).toContain("service.topk");
  });

  test("drafts that nobody would store are known at load", async () => {
    const text = `name: x
summary: Y.
input: { unit: turn, with_speaker: true, window: { by: turns, size: 1, overlap: 0, context: 0, together: 1 } }
on_bad_reply: throw
on_model_down: wait
models: { chat: null, embedder: null, reranker: null }
prompts: null
service: { name: neuromem_vdb, collection_name: c, top_k: 3, vitality: null }
stages:
  pre_insert: []
  memory_insert: triple_insert
  post_insert: []
  pre_retrieval: []
  memory_retrieval: { action: default, top_k: null, fusion: { strategy: union } }
  post_retrieval: []
`;
    expect(await refused(text)).toContain('insert method "default"');
    expect((await parsePreset(text.replace("triple_insert", "default"), "x.yaml")).stages.pre_insert).toEqual(
      [],
    );
  });
});
