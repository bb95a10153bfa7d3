/**
 * The same cases through every door: the row itself, HTTP, the typed client, MCP and the command line, each on a copy of one
 * memory. What comes back is the same, and what is refused is refused with the same code. A row without a case fails.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../src/operations/index.ts";
import { Memory } from "../src/runtime/memory.ts";
import { type ModelServer, startModelServer } from "../src/testing/model-server.ts";
import { type Case, casesOf, type Seed } from "./parity/cases.ts";
import { comparable, type Names } from "./parity/comparable.ts";
import {
  cliDoor,
  clientDoor,
  type Door,
  directDoor,
  httpDoor,
  mcpDoor,
  type Outcome,
} from "./parity/doors.ts";

const SLOW = 120_000;
const SCOPE = "me";
let folder: string;
let embeddings: ModelServer;
let preset: string;
let seed: Seed;
let ids: ReadonlySet<string>;
let since: number;
let doors: readonly Door[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "neuromem-parity-"));
  embeddings = await startModelServer();
  preset = join(folder, "parity.yaml");
  const embedder = `{ endpoint: test, model: m, base_url: "${embeddings.url}" }`;
  writeFileSync(preset, `extends: hybrid\nname: parity\nmodels: { embedder: ${embedder} }\n`);
  await makeSeed();
  const copies = await Promise.all(["direct", "http", "client", "mcp"].map(openCopy));
  const [direct, http, client, mcp] = copies;
  if (!direct || !http || !client || !mcp) throw new Error("there is a copy for each");
  copyFileSync(join(folder, "seed.db"), join(folder, "cli.db"));
  const cli = cliDoor(["--preset", preset, "--db", join(folder, "cli.db"), "--scope", SCOPE]);
  doors = [directDoor(direct), await httpDoor(http), await clientDoor(client), await mcpDoor(mcp), cli];
}, SLOW);

afterAll(async () => {
  for (const door of doors ?? []) await door.close();
  await embeddings?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openMemory(file: string, scope = SCOPE): Promise<Memory> {
  return Memory.open({ path: join(folder, file), preset, scope, background: false });
}

async function openCopy(name: string): Promise<Memory> {
  copyFileSync(join(folder, "seed.db"), join(folder, `${name}.db`));
  return openMemory(`${name}.db`);
}

async function makeSeed(): Promise<void> {
  const memory = await openMemory("seed.db");
  const happenedAt = Date.UTC(2023, 4, 8, 9);
  await memory.remember([
    { speaker: "Mia", text: "I moved to Rome.", happenedAt, session: "s1" },
    { speaker: "王芳", text: "我对花生过敏。", happenedAt, session: "s1" },
    { speaker: "Mia", text: "My dog is afraid of thunder.", happenedAt: happenedAt + 1000 },
  ]);
  await memory.remember({ judgment: "Mia drinks tea.", tags: ["茶"], happenedAt });
  const other = memory.in("other");
  await other.remember(["他们去了上海。", { judgment: "Shanghai is far.", happenedAt }]);
  const bundle: string[] = [];
  for await (const line of other.export()) bundle.push(line);
  const { entries } = await memory.list();
  const { events } = await memory.changes();
  const entryOf = (word: string) => {
    const found = entries.find(({ content }) => content.includes(word));
    if (found === undefined) throw new Error(`Nothing in the seed has the word ${word}.`);
    return found;
  };
  seed = {
    id: (word) => entryOf(word).id,
    turn: (word) => entryOf(word).sources[0] ?? "",
    event: (word) => events.findLast(({ subject }) => subject === entryOf(word).id)?.seq ?? 0,
    bundle,
  };
  ids = new Set(
    [...JSON.stringify([entries, bundle]).matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id),
  );
  await memory.close();
  since = Date.now();
}

describe("parity", () => {
  test("every row has a case that goes well, and one that is refused", () => {
    const cases = casesOf(seed);
    const rows = OPERATIONS.map(({ name }) => name).sort();
    const names = (some: readonly Case[]): string[] => [...new Set(some.map(({ row }) => row))].sort();
    expect(names(cases.filter(({ refused }) => refused === undefined))).toEqual(rows);
    expect(names(cases.filter(({ refused }) => refused !== undefined))).toEqual(rows);
  });

  test("the same comes back through every door", { timeout: SLOW }, async () => {
    const names = doors.map((): Names => ({ made: new Map(), isSeed: (id) => ids.has(id), since }));
    let asTools = 0;
    for (const one of casesOf(seed)) {
      const what = `${one.row} ${JSON.stringify(one.input)}`;
      const outcomes = await Promise.all(doors.map((door) => door.send(one)));
      const [direct, ...others] = outcomes.map((outcome, place) => seen(outcome, names[place], one.row));
      expect(direct, `${what}, directly`).toMatchObject(
        one.refused === undefined ? { output: expect.anything() } : { refused: one.refused },
      );
      for (const [place, other] of others.entries()) {
        const door = doors[place + 1]?.name ?? "";
        if (door === "MCP" && outcomes[place + 1]?.isBeside !== true) asTools++;
        expect(other, `${what}, through ${door}`).toEqual(direct);
      }
    }
    expect(asTools).toBeGreaterThan(40);
  });

  test("a process of its own gives the same", { timeout: SLOW }, async () => {
    const direct = directDoor(await openCopy("beside"));
    // Not waited for in place: the embedder that it asks is here.
    const run = async (call: readonly string[], input = "") => {
      const db = join(folder, `process-${call[0]}.db`);
      copyFileSync(join(folder, "seed.db"), db);
      const words = ["--preset", preset, "--db", db, "--scope", SCOPE, "--json"];
      const child = spawn(process.execPath, [resolve("src/cli/main.ts"), "call", ...call, ...words], {
        env: { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" },
      });
      child.stdin.end(input);
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { stdout, stderr, status: Number(status) };
    };
    const input = { question: "王芳对什么过敏？", limit: 2 };
    const fresh = (): Names => ({ made: new Map(), isSeed: (id) => ids.has(id), since });
    const expected = seen(await direct.send({ row: "recall", input }), fresh(), "recall");
    const [recalled, exported, imported, refused] = await Promise.all([
      run(["recall", "-"], JSON.stringify(input)),
      run(["export", '{"vectors":false}']),
      run(["import"], seed.bundle.join("\n")),
      run(["get", '{"id":"nope"}']),
    ]);
    expect(seen({ output: JSON.parse(recalled.stdout) }, fresh(), "recall")).toEqual(expected);
    expect(exported.stdout.trimEnd().split("\n").length).toBeGreaterThan(5);
    expect(JSON.parse(imported.stdout)).toMatchObject({ turns: 2 });
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "input_invalid" } });
    await direct.close();
  });
});

/** Of a refusal the code: a door may say more about where the mistake stands. */
function seen(outcome: Outcome, names: Names | undefined, row: string): unknown {
  if (names === undefined) return undefined;
  if ("refused" in outcome) return { refused: outcome.refused };
  const { output } = outcome;
  const isLines = row === "export" && Array.isArray(output);
  return { output: comparable(isLines ? output.map((line) => JSON.parse(String(line))) : output, names) };
}
