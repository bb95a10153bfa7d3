/** Any call of the table from the command line, and the everyday commands that stand for one. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OPERATIONS } from "../operations/index.ts";
import { COMMANDS } from "./commands/index.ts";
import { route } from "./router.ts";

let folder: string;
let db: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-call-"));
  db = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(words: readonly string[], typed: string | Uint8Array = "") {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await route(
    words,
    COMMANDS,
    {
      env: { NEUROMEM_DB: db },
      stdin: Readable.from([Buffer.from(typed)]),
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    },
    "1.2.3",
  );
  return { status, stdout: out.join(""), stderr: err.join("") };
}

const call = (name: string, input: string, typed?: string | Uint8Array) =>
  run(["call", name, input, "--preset", "bm25"], typed);

test("alone it lists every call, in both languages, and for programs with what each takes", async () => {
  const [english, chinese] = [await run(["call"]), await run(["call", "--lang", "zh"])];
  for (const { name, summary } of OPERATIONS) {
    expect(english.stdout).toContain(`  ${name} `);
    expect(english.stdout).toContain(summary.en);
    expect(chinese.stdout).toContain(summary.zh);
  }
  const { operations } = JSON.parse((await run(["call", "--json"])).stdout);
  expect(operations).toHaveLength(OPERATIONS.length);
  expect(operations[0]).toMatchObject({
    ...{ name: "remember", effect: "write", kind: "call", route: { method: "POST", path: "/v1/memories" } },
    input: { type: "object", required: ["said"] },
  });
  expect(existsSync(db)).toBe(false);
});

test("JSON comes from the word or from stdin, and JSON comes out, with --json or without", async () => {
  const kept = await call("remember", JSON.stringify({ said: { speaker: "王芳", text: "我住在成都。" } }));
  expect(JSON.parse(kept.stdout)).toMatchObject({ turns: [expect.any(String)], delayed: null });
  const found = await call("recall", "-", '{"question": "住在哪里？", "limit": 1}');
  expect(found).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(found.stdout).hits[0].text).toBe("王芳: 我住在成都。");
  const status = await run(["call", "status", "--preset", "bm25", "--json", "--scope", "ben"]);
  expect(JSON.parse(status.stdout)).toMatchObject({ scope: "ben", counts: { turns: 0 } });
});

test("lines go out, and into another scope through stdin", async () => {
  await call("remember", '{"said": ["I moved to Rome.", "我搬到了罗马。"]}');
  const { stdout } = await call("export", "{}");
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ line: "end", turns: 2 });
  const taken = await run(["call", "import", "--preset", "bm25", "--scope", "ben"], stdout);
  expect(JSON.parse(taken.stdout)).toMatchObject({ turns: 2, path: "restored" });
});

test.each([
  ["recal", "{}", "", 2, 'Did you mean "recall"?'],
  ["remember", "{said}", "", 2, `is no JSON. Valid: an object as '{"said": …}'`],
  ["remember", "[]", "", 2, "The input of remember is not valid."],
  ["remember", '{"said": "x", "loud": true}', "", 2, "loud"],
  ["import", "-", "{}", 2, "come from stdin, so its input cannot"],
  ["recall", "-", "", 2, "Nothing was piped in"],
  ["status", "{}", "", 2, "There is no memory"],
])("%s %s is refused, and no memory is made", async (name, input, typed, status, words) => {
  const refused = await call(name, input, typed);
  expect(refused).toMatchObject({ status, stdout: "" });
  expect(refused.stderr).toContain(words);
  expect(existsSync(db)).toBe(false);
});

test.each([
  ["import", "{}"],
  ["remember", "-"],
])("what is piped into %s and no UTF-8 is refused", async (name, input) => {
  const refused = await call(name, input, Uint8Array.from([0x7b, 0xff, 0xfe]));
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toContain("no UTF-8");
});

test("Ctrl-C ends the waiting for lines that nobody pipes in", async () => {
  const before = process.listenerCount("SIGINT");
  const [out, err]: [string[], string[]] = [[], []];
  const ended = route(
    ["call", "import", "--preset", "bm25", "--json"],
    COMMANDS,
    {
      env: { NEUROMEM_DB: db },
      stdin: new Readable({ read: () => undefined }),
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
    },
    "1.2.3",
  );
  await expect.poll(() => process.listenerCount("SIGINT")).toBeGreaterThan(before);
  process.emit("SIGINT");
  expect({ status: await ended, out }).toEqual({ status: 130, out: [] });
  expect(JSON.parse(err.join(""))).toMatchObject({ error: { code: "aborted" } });
});

/** Not those that do more than the row says, or less. A page of help loads no table, so it has the words itself. */
test.each(
  OPERATIONS.flatMap(({ name, summary }) => {
    const command = COMMANDS.find((one) => one.name === name);
    const isOther = ["import", "estimate", "status", "remember", "feedback"].includes(name);
    return command === undefined || isOther ? [] : [[name, command.summary, summary] as const];
  }),
)("neuromem %s says of itself what the table says", (_, said, summary) => {
  expect(said).toEqual(summary);
});
