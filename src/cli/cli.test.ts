/** What the commands print and how they end, on real files. How a process of its own behaves: process.test.ts. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { presetDiff } from "../preset/diff.ts";
import { listPresets, loadPreset, parsePreset } from "../preset/load.ts";
import { presetData } from "../preset/preset.ts";
import { startModelServer } from "../testing/model-server.ts";
import { COMMANDS } from "./commands/index.ts";
import { presetYaml } from "./preset-yaml.ts";
import { route } from "./router.ts";

/** All presets are read, and the machine may be busy. */
const SLOW = 120_000;
let folder: string;
let db: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-cli-"));
  db = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await route(
    words,
    COMMANDS,
    {
      env,
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    },
    "1.2.3",
  );
  return { status, stdout: out.join(""), stderr: err.join("") };
}

async function json(words: readonly string[], env: Record<string, string> = {}) {
  const { stdout, stderr } = await run([...words, "--json"], env);
  return JSON.parse(stdout === "" ? stderr : stdout);
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const TALK = `# 2023-05-08 coffee
Mia: I moved to Rome last week.
Ben: I am allergic to almonds,
and to walnuts.
Mia: Noted.
Mia: Noted.
# 2023-05-09 火锅
[2023-05-09 18:30] 王芳：周末我们去了重庆吃火锅。
助手：好的，我记住了。
`;

describe("finding one's way", () => {
  test("help lists every command, in English and in Chinese", async () => {
    const english = await run([]);
    expect(english).toMatchObject({ status: 0, stderr: "" });
    expect(english.stdout).toContain("neuromem preset diff A B");
    expect(english.stdout).toContain("where two designs differ");
    expect((await run(["--help"], { LANG: "zh_CN.UTF-8" })).stdout).toContain("逐阶段比较两个设计的不同");
    expect((await run(["--help"], { LC_ALL: "zh_TW", LANG: "en_US" })).stdout).toContain("逐阶段");
    expect((await run(["--help", "--lang", "en"], { LANG: "zh_CN" })).stdout).toContain("stage by stage");
    expect((await run(["help", "recall"])).stdout).toBe((await run(["-h", "recall"])).stdout);
    expect((await run(["help", "recall"])).stdout).toContain("--explain");
    const group = (await run(["preset", "--lang", "zh"])).stdout;
    expect(group).toContain("neuromem preset new FILE");
    expect(group).not.toContain("neuromem import");
  });

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    "%s has a page in both languages, and its row for programs",
    async (name, { options }) => {
      const words = name.split(" ");
      const english = (await run([...words, "--help"])).stdout;
      const chinese = (await run([...words, "--help", "--lang", "zh"])).stdout;
      expect(english).toContain(`neuromem ${name}`);
      for (const option of Object.keys(options)) expect(english).toContain(`--${option}`);
      expect(chinese).toMatch(/[\u4e00-\u9fff]/);
      expect(chinese).not.toBe(english);
      expect(await json([...words, "--help"])).toMatchObject({ name, options: expect.any(Object) });
    },
  );

  test.each([
    [["recal", "x"], 'There is no command "recal".', 'Did you mean "recall"?'],
    [["preset", "lst"], 'There is no command "preset lst".', 'Did you mean "preset list"?'],
    [["preset", "list", "--jsn"], "neuromem preset list has no option --jsn.", 'Did you mean "--json"?'],
    [["--vresion"], "There is no option --vresion before a command.", 'Did you mean "--version"?'],
    [["--db", "x", "list"], "There is no option --db before a command.", "stand behind its name."],
    [
      ["remember", "-5 度"],
      "neuromem remember has no option -5.",
      "A text that begins with - stands behind --.",
    ],
    [["preset", "show"], "NAME is missing.", "Valid: neuromem preset show NAME."],
    [["preset", "show", "a", "b"], '"b" is one too many.', "Valid: neuromem preset show NAME."],
    [["preset", "show", "hybird"], 'There is no preset "hybird".', 'Did you mean "hybrid"?'],
    [["preset", "list", "--no-color=yes"], "--no-color takes no value.", "Valid: --no-color alone."],
    [["recall", "x", "--db"], "--db needs a value.", "Valid: --db PATH."],
    [["recall", "x", "--db", "--explain"], "--db needs a value.", "Valid: --db PATH."],
    [["recall", "x", "--lang", "fr"], 'There is no language "fr".', "Valid: en, zh."],
    [["recall", " "], "QUESTION is missing.", "Valid: neuromem recall QUESTION."],
    [["recall", "x", "--limit", "many"], '--limit is "many".', "Valid: a whole number"],
    [["recall", "x", "--at", "soon"], '--at is "soon".', "Valid: a date"],
    [["import", "x", "--format", "pdf"], '--format is "pdf".', "Valid: "],
  ])("%j is refused with what would be valid", async (words, what, valid) => {
    const { status, stdout, stderr } = await run(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(what);
    expect(stderr).toContain(valid);
  });

  test("errors for programs are JSON, with the code", async () => {
    const { status, stdout, stderr } = await run(["--json", "preset", "show", "hybird"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "unknown_name" } });
  });

  test("colours only where they are wanted", async () => {
    const coloured = async (words: string[], env: Record<string, string>) =>
      (await run(words, env)).stdout.includes("\u001b[");
    expect(await coloured(["--help"], {})).toBe(false);
    expect(await coloured(["--help"], { FORCE_COLOR: "1" })).toBe(true);
    expect(await coloured(["--help"], { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(await coloured(["--help", "--no-color"], { FORCE_COLOR: "1" })).toBe(false);
  });
});

describe("presets", () => {
  test(
    "list: one line each, in groups, with the cost",
    async () => {
      const names = await listPresets();
      const { stdout } = await run(["preset", "list"]);
      for (const name of names) expect(stdout).toContain(`  ${name} `);
      expect(stdout).toMatch(/table\/scm .*\(model calls: write .+ · read .+\)/);
      expect(stdout.indexOf("Rows of the five-dimension table")).toBeLessThan(stdout.indexOf("table/a_mem"));
      const { presets } = await json(["preset", "list"]);
      const listed: string[] = presets.map(({ name }: { name: string }) => name);
      expect(listed[0]).toBe("neuromem");
      expect(stdout.indexOf("Our own; the first is the default")).toBe(0);
      expect(listed.toSorted()).toEqual(names);
      expect(presets.find(({ name }: { name: string }) => name === "table/scm").calls.read).toBe("0");
      expect((await run(["preset", "list", "--lang", "zh"])).stdout).toContain("模型调用：写入");
    },
    SLOW,
  );

  test("show: every default is visible, with what it does", async () => {
    const { stdout } = await run(["preset", "show", "hybrid"]);
    expect(stdout).toMatch(/# What shared words count\.\n +text: 1\n/);
    expect(stdout).toMatch(
      / {4}# Gives every query the vectors of the pipeline's embedder\.\n {4}- action: embedding/,
    );
    expect(await json(["preset", "show", "hybrid"])).toEqual(presetData(await loadPreset("hybrid")));
  });

  test("what is shown can be loaded, and does the same", async () => {
    for (const name of ["hybrid", "mem0", "table/scm", "table/hipporag"]) {
      const preset = await loadPreset(name);
      const again = await parsePreset(presetYaml(preset), join(folder, "shown.yaml"));
      // Insert methods that no draft will want are left out.
      const differences = presetDiff(preset, again).filter(({ part }) => part !== "memory_insert");
      expect(differences).toEqual([]);
    }
  });

  test("diff: stage by stage, what is gone, what came, what changed", { timeout: SLOW }, async () => {
    const { stdout } = await run(["preset", "diff", "bm25", "hybrid"]);
    expect(stdout).toContain("models\n  embedder: null → built_in\n      # Who embeds;");
    const more = (await run(["preset", "diff", "hybrid", "mem0"])).stdout;
    expect(more).toMatch(
      /^mem0: .*\n {2}stored: One statement per fact.*\n {2}embedded: .*\n {2}model calls: write 1 per/m,
    );
    expect(more).toMatch(/pre_insert\n {2}- none\W/);
    expect(more).toMatch(/\+ transform \{ transform_type: /);
    expect(more).toMatch(/\+ mem0_crud \{ .*\n {6}# Decides for each new memory/);
    expect(more).not.toContain("collection_name");
    expect((await run(["preset", "diff", "hybrid", "hybrid"])).stdout).toContain("They do the same.");
    const { differences } = await json(["preset", "diff", "bm25", "hybrid"]);
    expect(differences).toContainEqual({
      part: "models",
      path: "embedder",
      a: null,
      b: "built_in",
      description: expect.stringContaining("Who embeds"),
    });
  });

  test("check: all that is wrong, with its line and what is valid", async () => {
    const good = file("good.yaml", "name: good\nsummary: Fine.\nextends: hybrid\n");
    expect(await run(["preset", "check", good])).toMatchObject({ status: 0, stderr: "" });
    const bad = file(
      "bad.yaml",
      "name: bad\nsummary: Not fine.\nextends: hybrid\nservice: { rrf_kk: 3 }\nstages:\n  pre_insert: transfrom\n",
    );
    const { status, stderr } = await run(["preset", "check", bad]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:4: service\.rrf_kk: is not a key here\..*Did you mean "rrf_k"\?/);
    expect(stderr).toMatch(/bad\.yaml:6: stages\.pre_insert: There is no action "transfrom".*"transform"\?/);
    expect(await json(["preset", "check", bad])).toMatchObject({
      valid: false,
      problems: [{ line: 4 }, { line: 6 }],
    });
    expect(await run(["preset", "check", join(folder, "nowhere.yaml")])).toMatchObject({ status: 2 });
  });

  test("new: a file that extends another, valid at once, never over another file", async () => {
    const own = join(folder, "My Own.yaml");
    expect(await run(["preset", "new", own, "--from", "mem0"])).toMatchObject({ status: 0 });
    const text = readFileSync(own, "utf8");
    expect(text).toContain('name: my_own\nsummary: "Like mem0."\nextends: "mem0"');
    expect(text).toMatch(/^# {3}post_insert:$/m);
    expect(await run(["preset", "check", own])).toMatchObject({ status: 0 });
    expect((await run(["preset", "diff", "mem0", own])).stdout).toContain("They do the same.");
    expect(await run(["preset", "new", own])).toMatchObject({ status: 5 });
    expect(readFileSync(own, "utf8")).toBe(text);
  });
});

describe("a conversation through a design", () => {
  const here = (...words: string[]) => run([...words, "--db", db]);
  const data = (...words: string[]) => json([...words, "--db", db]);

  test("import, recall with its reasons, another design over the same journal", async () => {
    const talk = file("talk.txt", TALK);
    expect(await data("import", talk, "--preset", "bm25")).toMatchObject({
      ...{ format: "text", added: 6, known: 0, turns: 6, entries: 6, model: null },
    });
    expect(await data("import", talk, "--preset", "bm25")).toMatchObject({ added: 0, known: 6, turns: 0 });

    const { stdout } = await here("recall", "where", "did", "Mia", "move", "--preset", "bm25", "--explain");
    expect(stdout).toMatch(/^\d\.\d+ {2}Mia: I moved to Rome last week\. {2}\(2023-05-08\)\n/);
    expect(stdout).toContain("← 2023-05-08 Mia: I moved to Rome last week.");
    expect(stdout).toMatch(/memory_retrieval default: 1 → \d/);
    const chinese = await data("recall", "火锅", "--preset", "bm25", "--limit", "1");
    expect(chinese.hits).toHaveLength(1);
    expect(chinese.hits[0].turns[0]).toMatchObject({
      speaker: "王芳",
      happenedAt: Date.UTC(2023, 4, 9, 18, 30),
    });
    const after = await data("recall", "记住", "--preset", "bm25", "--limit", "1");
    expect(after.hits[0].turns[0]).toMatchObject({
      speaker: "助手",
      happenedAt: Date.UTC(2023, 4, 9, 18, 30),
    });

    // Without a model at writes another design takes up by itself what was said; one that would ask a model is asked to.
    const first = await here("recall", "Rome", "--preset", "dense");
    expect(first.stderr).toContain("6 turns were said while another design was chosen");
    expect(first.stdout).toContain("I moved to Rome last week.");
    const second = await here("ask", "王芳周末吃了什么？", "--preset", "dense", "--lang", "zh");
    expect(second.stdout).toContain("火锅");
    expect(second.stderr).not.toContain("6 轮");
    expect((await here("recall", "Rome", "--preset", "table/scm")).stderr).toContain(
      "6 turns are not taken up",
    );
    expect(await data("rebuild", "--preset", "table/scm")).toMatchObject({ turns: 6, waiting: 0 });
    expect((await here("recall", "火锅", "--preset", "table/scm", "--lang", "zh")).stdout).toContain(
      "吃火锅",
    );
    const other = await here("recall", "Rome", "--scope", "other", "--preset", "bm25");
    expect(other.stdout).toBe("(nothing found)\n");
  });

  test("what an agent would be given: the design's own layout, also where nothing was found", async () => {
    const talk = file(
      "talk.txt",
      "Mia: I live in Rome.\nBen: I like tea.\n王芳：我住在成都。\n李强：我爱吃火锅。\n",
    );
    await here("import", talk, "--preset", "ld_agent", "--finish");
    const nothing = (await here("recall", "Why?", "--preset", "ld_agent")).stdout;
    expect(nothing).toMatch(/^\(nothing found\)\n\n[\s\S]*Mia lives in Rome/);
    const { context } = await data("recall", "Why?", "--preset", "ld_agent");
    expect((await here("recall", "Why?", "--preset", "ld_agent", "--context")).stdout).toBe(`${context}\n`);
    expect((await here("rebuild", "--preset", "bm25")).status).toBe(0);
    expect((await here("recall", "火锅", "--preset", "bm25", "--context")).stdout).toContain("我爱吃火锅");
  });

  test("warnings of a kind are told a few times, then counted", async () => {
    const server = await startModelServer({ chat: () => "no JSON at all" });
    try {
      const talk = file("many.txt", Array.from({ length: 8 }, (_, at) => `Mia: line ${at}`).join("\n"));
      const words = ["--preset", "table/scm", "--model", "mine:tiny", "--base-url", server.url];
      const { status, stderr } = await here("import", talk, ...words);
      expect(status).toBe(0);
      expect(stderr.match(/could not be used/g)?.length).toBeLessThanOrEqual(5);
      expect(stderr).toMatch(/\d+ more warnings like these: reply_invalid/);
    } finally {
      await server.close();
    }
  });

  test("with a model that --model names, its key from the environment", async () => {
    const server = await startModelServer({
      chat: () => JSON.stringify({ facts: [{ text: "Mia lives in Rome.", sources: [0] }] }),
    });
    try {
      file(
        "facts.yaml",
        "name: facts\nsummary: Facts.\nextends: hybrid\nservice: { collection_name: facts }\nstages:\n  pre_insert: { action: transform, transform_type: fact_extract }\n",
      );
      const words = [
        "import",
        file("a.txt", "Mia: I moved to Rome.\n"),
        "--preset",
        join(folder, "facts.yaml"),
      ];
      const model = ["--model", "mine:tiny", "--base-url", server.url, "--db", db];
      const result = await json([...words, ...model], { MINE_API_KEY: "secret-1" });
      expect(result).toMatchObject({ model: "tiny", entries: 1 });
      expect(server.requests.length).toBeGreaterThan(0);
      const { stdout } = await run(["recall", "Rome", ...words.slice(2), "--db", db]);
      expect(stdout).toContain("Mia lives in Rome.");
    } finally {
      await server.close();
    }
  });

  test("a file that has grown adds what is new; what waits for its window is said", async () => {
    const talk = file("talk.txt", TALK);
    await here("import", talk, "--preset", "bm25");
    file("talk.txt", `${TALK}Mia: Noted.\nMia: And I bought a bike.\n`);
    expect(await data("import", talk, "--preset", "bm25")).toMatchObject({ added: 2, known: 6, turns: 2 });
    const windows = file(
      "windows.yaml",
      "name: windows\nsummary: Five.\nextends: bm25\ninput: { window: { by: turns, size: 5, overlap: 0, context: 0 } }\nservice: { collection_name: windows }\n",
    );
    const { stderr } = await here("import", talk, "--preset", windows);
    expect(stderr).toContain("3 turns wait for a full window");
    expect(await data("import", talk, "--preset", windows, "--finish")).toMatchObject({
      turns: 3,
      waiting: 0,
    });
  });

  test("JSONL and LoCoMo are told from the content", async () => {
    const lines = [
      { speaker: "Mia", text: "I moved to Rome.", at: "2023-05-08T10:00:00Z", session: "s1" },
      { speaker: "assistant", text: "记住了。", at: 1_683_540_000_000 },
    ];
    const jsonl = file("talk.json", lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(await data("import", jsonl, "--preset", "bm25")).toMatchObject({ format: "jsonl", added: 2 });
    const conversation = {
      session_1_date_time: "1:56 pm on 8 May, 2023",
      session_1: [{ speaker: "Ann", dia_id: "D1:1", text: "Look, a boat!", blip_caption: "a red boat" }],
    };
    const both = ["conv-1", "conv-2"].map((sample_id) => ({ sample_id, conversation, qa: [] }));
    const locomo = file("locomo.txt", JSON.stringify(both));
    expect((await here("import", locomo, "--preset", "bm25")).stderr).toContain(
      "holds 2 conversations; --conversation says which. Valid: conv-1, conv-2.",
    );
    const chosen = await data("import", locomo, "--conversation", "conv-1", "--preset", "bm25");
    expect(chosen).toMatchObject({ format: "locomo", added: 1 });
    const { hits } = await data("recall", "boat", "--preset", "bm25");
    expect(hits[0]).toMatchObject({
      text: "Ann: Look, a boat! [a red boat]",
      happenedAt: Date.UTC(2023, 4, 8, 13, 56),
    });
  });

  test("bad input is refused with its line, and nothing is made", async () => {
    const said = async (...words: string[]) => (await here("import", ...words)).stderr;
    expect(await said(file("a.txt", "no speaker here\n"))).toContain("a.txt:1: Nobody is named");
    expect(await said(file("b.txt", "Mia: hi\n[soon] Mia: hi\n"))).toContain("b.txt:2: [soon] is no time.");
    expect(await said(file("c.jsonl", '{"text":"a"}\n{"txt":"b"}\n'))).toContain("c.jsonl:2");
    expect(await said(file("d.jsonl", '{"text":"a"}\nnot json\n'))).toContain("d.jsonl:2 is no JSON");
    expect(await here("import", join(folder, "nowhere.txt"))).toMatchObject({ status: 2 });
    expect((await here("recall", "x")).stderr).toContain("There is no memory");
    const talk = file("e.txt", "Mia: hi\n");
    expect(await here("import", talk, "--scope", "")).toMatchObject({ status: 2 });
    expect(await said(file("f.txt", "\n"))).toContain("Nothing is said in");
    expect(await said(talk, "--base-url", "http://localhost:1")).toContain("Valid: --model with it.");
    expect(await said(talk, "--model", "gpt")).toContain("ENDPOINT:MODEL");
    expect(await said(talk, "--model", "openai:x")).toContain("OPENAI_API_KEY");
    expect(existsSync(db)).toBe(false);
  });
});
