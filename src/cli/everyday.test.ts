/** A memory from the command line, day by day: made, filled, asked, changed, emptied, examined. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer } from "../testing/model-server.ts";
import { COMMANDS } from "./commands/index.ts";
import { route } from "./router.ts";

const SLOW = 120_000;
let folder: string;
let db: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-everyday-"));
  db = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `typed`: what comes through the pipe. */
async function run(words: readonly string[], typed = "", env: Record<string, string> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await route(
    words,
    COMMANDS,
    {
      env: { NEUROMEM_DB: db, ...env },
      stdin: Readable.from([Buffer.from(typed)]),
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    },
    "1.2.3",
  );
  return { status, stdout: out.join(""), stderr: err.join("") };
}

async function json(...words: readonly string[]) {
  const { stdout, stderr } = await run([...words, "--json"]);
  return JSON.parse(stdout === "" ? stderr : stdout);
}

test("init makes a memory and writes down the choices; other commands follow them", async () => {
  const made = await json("init", "--preset", "bm25", "--scope", "mia");
  expect(made).toMatchObject({ db, isNew: true, preset: "bm25", scope: "mia" });
  expect(JSON.parse(readFileSync(`${db}.json`, "utf8"))).toEqual({ preset: "bm25", scope: "mia" });
  expect(await json("status")).toMatchObject({
    preset: "bm25",
    scope: "mia",
    counts: { memories: 0 },
    waiting: 0,
  });
  // What is given again changes, the rest stays; the command's own word goes before.
  expect(await json("init", "--scope", "ben")).toMatchObject({ isNew: false, preset: "bm25", scope: "ben" });
  expect(await json("status", "--scope", "other")).toMatchObject({ scope: "other" });
  const chinese = await run(["init", "--lang", "zh"]);
  expect(chinese.stdout).toContain("设计: bm25 · ben");
  writeFileSync(`${db}.json`, '{"prest": "bm25"}');
  const bad = await run(["status"]);
  expect(bad.status).toBe(2);
  expect(bad.stderr).toContain("cannot be used");
  expect(await run(["init", "--preset", "hybird", "--db", join(folder, "x.db")])).toMatchObject({
    status: 2,
  });
  expect(existsSync(join(folder, "x.db.json"))).toBe(false);
});

test("remember, list, show, ask and recall, in English and Chinese", { timeout: SLOW }, async () => {
  await run(["init", "--preset", "bm25"]);
  const said = await json("remember", "I", "moved", "to", "Rome", "--speaker", "Mia", "--at", "2023-05-08");
  expect(said.memories).toHaveLength(1);
  expect(await run(["remember", "-"], "Ben likes green tea.\n")).toMatchObject({ status: 0 });
  const judged = ["--type", "knowledge", "--tags", "健康,过敏", "--reason", "医生说的"];
  const kept = await json("remember", "王芳对花生过敏", ...judged);

  const { entries, next } = await json("list");
  expect(next).toBeNull();
  expect(entries.map(({ content }: { content: string }) => content)).toEqual([
    "Mia: I moved to Rome",
    "Ben likes green tea.",
    "王芳对花生过敏",
  ]);
  const page = await json("list", "--limit", "2");
  expect(page.entries).toHaveLength(2);
  expect((await json("list", "--after", page.next)).entries).toHaveLength(1);
  expect((await json("list", "--tag", "过敏")).entries).toHaveLength(1);
  expect((await json("list", "--kind", "task")).entries).toHaveLength(0);

  const shown = await run(["show", kept.memories[0]]);
  expect(shown.stdout).toContain("why: 医生说的");
  expect(shown.stdout).toContain("#健康 #过敏");
  expect(await json("show", said.memories[0])).toMatchObject({
    happenedAt: Date.UTC(2023, 4, 8),
    turns: [{ speaker: "Mia", text: "I moved to Rome" }],
  });
  expect((await run(["show", "no-id"])).status).toBe(2);

  const answer = await run(["ask", "Where did Mia move?"]);
  expect(answer.stdout).toContain("Rome");
  expect(answer.stdout).toContain("quoted from memory");
  expect((await run(["ask", "-", "--lang", "zh", "--explain"], "王芳对什么过敏？")).stdout).toContain("花生");
  const [asked, recalled] = [await json("ask", "Where did Mia move?"), await json("recall", "Rome")];
  expect(asked.evidence[0].turns[0].speaker).toBe("Mia");
  expect(recalled.hits[0].turns[0].speaker).toBe("Mia");
  // What stands with its hits does not come a second time beside them.
  expect({ ...asked, ...recalled }).not.toHaveProperty("recalled");
  expect(recalled).not.toHaveProperty("turns");

  const spans = async (...words: string[]) => (await json("recall", "Rome tea", ...words)).hits.length;
  expect(await spans()).toBe(2);
  expect(await spans("--to", "2023-05-08")).toBe(1);
  expect(await spans("--from", "2023-05-09")).toBe(1);
  expect(await spans("--limit", "1")).toBe(1);
  expect(await spans("--at", "2023-06-01")).toBe(1);
  expect(await spans("--tag", "健康")).toBe(0);
  expect((await run(["recall", "-"])).stderr).toContain("Nothing was piped in");
});

test("history, undo and feedback", async () => {
  await run(["init", "--preset", "simple_memory"]);
  const kept = async (text: string) => (await json("remember", text, "--tags", "火锅")).memories[0];
  const [one, two] = [await kept("Mia likes hot pot"), await kept("米娅喜欢火锅")];
  expect(await json("feedback", "--useful", `${one},${two}`)).toMatchObject({ strengthened: [one, two] });
  const merged = await json("feedback", "--merge", `${one}，${two}`);
  expect(merged.merged).toMatchObject([{ from: [one, two] }]);
  const { events } = await json("history", one);
  const last = events.at(-1);
  expect(last).toMatchObject({ operation: "entry-update", after: { supersededBy: merged.merged[0].id } });
  expect((await run(["history", one])).stdout).toContain("supersededBy: null →");
  expect((await json("list")).entries).toHaveLength(1);
  const undone = await json("undo", String(last.seq));
  expect(undone.events).toContain(last.seq);
  expect((await json("list")).entries).toHaveLength(2);
  expect(await run(["undo", "soon"])).toMatchObject({ status: 2 });
  expect(await run(["feedback"])).toMatchObject({ status: 2 });
});

test("forget asks, or is told --yes, and reports what went", async () => {
  await run(["init", "--preset", "bm25"]);
  await run([
    "remember",
    "I moved to Rome",
    "--session",
    "s1",
    "--speaker",
    "Mia",
    "--at",
    "2023-05-08 10:00",
  ]);
  await run(["remember", "我喜欢喝茶", "--session", "s2", "--speaker", "王芳"]);
  const asked = await run(["forget", "--session", "s1"]);
  expect(asked.status).toBe(2);
  expect(asked.stderr).toContain("Valid: --yes");
  expect((await run(["forget", "--yes"])).stderr).toContain("Nothing is named");
  expect((await run(["forget", "--yes", "--session", "s", "--id", "x"])).stderr).toContain("Named are");
  expect((await run(["forget", "--yes", "--from", "2023-05-08"])).stderr).toContain("two ends");
  expect((await json("list")).entries).toHaveLength(2);
  const span = await json("forget", "--from", "2023-05-08", "--to", "2023-05-08", "--yes");
  expect(span).toMatchObject({ turns: [expect.any(String)], entries: [{ kind: "memory" }] });
  expect((await run(["forget", "--speaker", "王芳", "-y"])).stdout).toContain(
    "Forgotten: 1 turns, 1 memories",
  );
  expect((await run(["forget", "--everything", "-y", "--lang", "zh"])).stdout).toContain("没有可删除的内容");
});

test("what waits for a full window is said under an answer, and flush takes it up", {
  timeout: SLOW,
}, async () => {
  await run(["init", "--preset", "simple_memory"]);
  await run(["remember", "王芳住在成都。"]);
  expect((await run(["ask", "王芳住在哪里？"])).stderr).toContain("neuromem flush");
  expect(await json("flush")).toMatchObject({ turns: 1, memories: 1 });
  expect((await run(["ask", "王芳住在哪里？"])).stdout).toContain("成都");
});

test("consolidate, reembed, rebuild and estimate say what they did", { timeout: SLOW }, async () => {
  await run(["init", "--preset", "simple_memory"]);
  await run(["remember", "I moved to Rome"]);
  expect(await json("consolidate")).toMatchObject({ added: [], deleted: expect.any(Array) });
  expect((await run(["consolidate", "--lang", "zh"])).stdout).toContain("新增 0 条");
  expect(await json("reembed")).toMatchObject({ error: { code: "missing_dependency" } });
  await run(["rebuild", "--preset", "hybrid"]);
  expect(await json("reembed", "--preset", "hybrid")).toMatchObject({ entries: 0, kept: 1 });
  expect(await json("rebuild", "--preset", "bm25")).toMatchObject({ turns: 1, entries: 1, preset: "bm25" });
  const talk = join(folder, "talk.txt");
  writeFileSync(talk, "Mia: I moved to Rome.\n王芳：我喜欢喝茶。\n");
  const words = ["estimate", talk, "--preset", "mem0"];
  const cost = await json(...words, "--price-in", "1000000", "--price-out", "0");
  expect(cost).toMatchObject({ turns: 2, sampled: 2 });
  expect(cost.calls).toBeGreaterThan(0);
  expect(cost.money).toBe(cost.inputTokens);
  expect((await run([...words, "--price-in", "1"])).stderr).toContain("--price-in with --price-out");
  expect((await json("status", "--preset", "bm25")).counts.memories).toBe(1);
});

test("doctor finds what is well and what is not, and says what to do", { timeout: SLOW }, async () => {
  const before = await json("doctor", "--preset", "bm25");
  expect(before).toMatchObject({ isWell: true });
  expect(before.findings.find(({ name }: { name: string }) => name === "file")).toMatchObject({
    state: "warn",
  });
  expect(existsSync(db)).toBe(false);
  await run(["init"]);
  const chinese = await run(["doctor", "--lang", "zh"]);
  expect(chinese).toMatchObject({ status: 0, stderr: "" });
  expect(chinese.stdout).toMatch(/✓ embedder en +\S+/);
  expect(chinese.stdout).toMatch(/✓ embedder zh +\S+/);
  expect(chinese.stdout).toContain("完好");
  const server = await startModelServer({ chat: "OK" });
  const model = ["--preset", "bm25", "--model", "mine:tiny", "--base-url", server.url];
  expect((await run(["doctor", ...model])).stdout).toMatch(/✓ model +mine:tiny, \d+ ms/);
  await server.close();
  const badModel = await run(["doctor", "--preset", "bm25", "--model", "openai:gpt"]);
  expect(badModel.status).toBe(1);
  expect(badModel.stdout).toMatch(/✗ model .*OPENAI_API_KEY/);
  writeFileSync(db, "this is no database, whatever its name says".repeat(100));
  const damaged = await run(["doctor", "--preset", "bm25"]);
  expect(damaged.status).toBe(1);
  expect(damaged.stdout).toMatch(/✗ file /);
  expect((await run(["doctor", "--preset", "hybird"])).stdout).toContain('Did you mean "hybrid"?');
});

test("the demo loads its sample once, in both languages, and explains its answers", {
  timeout: SLOW,
}, async () => {
  const first = await json("demo");
  expect(first).toMatchObject({
    scope: "demo",
    preset: "neuromem",
    added: first.turns,
    takenUp: first.turns,
  });
  const [nuts, recital, home] = first.answers;
  expect(nuts.answer).toContain("peanuts and cashews");
  expect(recital.answer).toMatch(/18 April 2026|18th of April/);
  expect(home.answer).toContain("玉林路");
  for (const { evidence, turns } of first.answers) {
    expect(Object.keys(evidence[0].scoreParts).length).toBeGreaterThan(0);
    expect(turns[0][0].happenedAt).toBeGreaterThan(Date.UTC(2026, 0, 1));
  }
  const again = await run(["demo", "--lang", "zh"]);
  expect(again.stdout).toContain("示例在之前运行时已载入");
  expect(again.stdout).toMatch(/\? 王芳搬到[\s\S]+1\.\d+ {2}2026-05-20 王芳: 我搬到玉林路/);
  expect(again.stdout).toContain("neuromem chat --scope demo");
  // Nobody else's memory has become larger by it.
  expect(await json("status")).toMatchObject({ scope: "me", counts: { memories: 0, turns: 0 } });
});

test("completion names every command and design, for every shell", async () => {
  const bash = (await run(["completion", "bash"])).stdout;
  for (const { name } of COMMANDS) expect(bash).toContain(`"${name}")`);
  expect(bash).toMatch(/--preset\) words="[^"]*hipporag2/);
  expect((await run(["completion", "zsh"])).stdout).toContain("bashcompinit");
  expect((await run(["completion", "fish"])).stdout).toContain("-l known-at -r");
  expect((await run(["completion", "bsh"])).stderr).toContain('Did you mean "bash"?');
});
