/** The doors to one memory: the same case goes in, what came of it comes out in one form. Each has a copy of its own. */
import { Readable } from "node:stream";
import { z } from "zod";
import { ERROR_KINDS, MemoryError } from "../../src/base/errors.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { route } from "../../src/cli/router.ts";
import { connect } from "../../src/client/index.ts";
import { OPERATIONS, type Operation } from "../../src/operations/index.ts";
import type { Memory } from "../../src/runtime/memory.ts";
import { serve } from "../../src/server/serve.ts";
import { mcpClient } from "../fixtures/mcp-clients.ts";
import type { Case } from "./cases.ts";

/** JSON that came back, or lines of it; or the code of a refusal. */
export type Outcome = ({ readonly output: unknown } | { readonly refused: string }) & {
  /** It was done directly, for this door has no such call. */
  readonly isBeside?: boolean;
};

export interface Door {
  readonly name: string;
  send(one: Case): Promise<Outcome>;
  close(): Promise<void>;
}

export function rowOf({ row }: Pick<Case, "row">): Operation {
  const found = OPERATIONS.find(({ name }) => name === row);
  if (found === undefined) throw new Error(`There is no row ${row}.`);
  return found;
}

/** The row itself, on the memory. */
export function directDoor(memory: Memory): Door {
  return {
    name: "direct",
    send: (one) => outcomeOf(runRow(memory, one)),
    close: () => memory.close(),
  };
}

async function runRow(memory: Memory, { row, input, lines = [] }: Case): Promise<unknown> {
  const operation = rowOf({ row });
  if (operation.kind === "call") return operation.run(memory, input);
  if (operation.kind === "lines-in") return operation.run(memory, input, Readable.from(lines));
  return gather(operation.run(memory, input));
}

/** Plain requests, made from what the row says about its route. */
export async function httpDoor(memory: Memory): Promise<Door> {
  const serving = await serve({ memory, port: 0 });
  return {
    name: "HTTP",
    async send({ row, input, lines }) {
      const { route: at, kind } = rowOf({ row });
      const left = new Map(Object.entries(input));
      const path = at.path.replace(/\{(\w+)\}/g, (_, field: string) => {
        const value = String(left.get(field));
        left.delete(field);
        return encodeURIComponent(value);
      });
      const isBody = at.method === "POST" && kind !== "lines-in";
      const query = new URLSearchParams();
      for (const [name, value] of isBody ? [] : left)
        query.set(name, typeof value === "string" ? value : JSON.stringify(value));
      const body = isBody ? JSON.stringify(Object.fromEntries(left)) : lines?.join("\n");
      const type = isBody ? "application/json" : "application/x-ndjson";
      const response = await fetch(`${serving.url}${path}?${query}`, {
        method: at.method,
        ...(body === undefined ? {} : { body, headers: { "content-type": type } }),
      });
      const text = await response.text();
      if (!response.ok) return refusal(JSON.parse(text), { http: response.status });
      return { output: kind === "lines-out" ? text.trimEnd().split("\n") : JSON.parse(text) };
    },
    async close() {
      await serving.close();
      await memory.close();
    },
  };
}

/** Which field is an argument of its own. */
const FIRST: Readonly<Record<string, string>> = {
  ...{ remember: "said", recall: "question", comprehensiveRecall: "question", chainedRecall: "question" },
  ...{ ask: "question", context: "question", get: "id", history: "id", undo: "event", estimate: "turns" },
};
/** Which field of the row's output a verb gives by itself. */
const ALONE: Readonly<Record<string, string>> = {
  ...{ comprehensiveRecall: "hits", chainedRecall: "hits", history: "events" },
};

export async function clientDoor(memory: Memory): Promise<Door> {
  const serving = await serve({ memory, port: 0 });
  const client = connect({ url: serving.url, retries: 0 });
  const call = async ({ row, input, lines }: Case): Promise<unknown> => {
    const verb: unknown = Reflect.get(client, row);
    if (typeof verb !== "function") throw new Error(`The client has no ${row}.`);
    const { [FIRST[row] ?? ""]: first, ...rest } = input;
    const { wait, ...exchange } = input;
    const ways: Readonly<Record<string, readonly unknown[]>> = {
      record: [exchange, wait === undefined ? undefined : { wait }],
      import: [lines, input],
    };
    const given = ways[row] ?? (FIRST[row] === undefined ? [input] : [first, rest]);
    const got: unknown = Reflect.apply(verb, client, given);
    if (rowOf({ row }).kind === "lines-out") return gather(z.custom<AsyncIterable<string>>().parse(got));
    const alone = ALONE[row];
    return alone === undefined ? got : { [alone]: await got };
  };
  return {
    name: "client",
    send: (one) => outcomeOf(call(one)),
    async close() {
      await client.close();
      await serving.close();
      await memory.close();
    },
  };
}

/** The tools; what is none is done directly, so that the memory stays like the others. */
export async function mcpDoor(memory: Memory): Promise<Door> {
  const serving = await serve({ memory, port: 0 });
  const client = await mcpClient("current", { url: `${serving.url}/mcp` });
  await client.tools();
  return {
    name: "MCP",
    async send(one) {
      if (rowOf(one).tool === null) return { ...(await outcomeOf(runRow(memory, one))), isBeside: true };
      const { isError, structuredContent } = await client.call(one.row, { ...one.input });
      return isError === true ? refusal(structuredContent) : { output: structuredContent };
    },
    async close() {
      await client.close();
      await serving.close();
      await memory.close();
    },
  };
}

/** `neuromem call`, typed in this process. */
export function cliDoor(options: readonly string[]): Door {
  return {
    name: "CLI",
    async send({ row, input, lines = [] }) {
      const [out, err]: [string[], string[]] = [[], []];
      const status = await route(
        ["call", row, JSON.stringify(input), "--json", ...options],
        COMMANDS,
        {
          env: {},
          stdin: Readable.from([Buffer.from(lines.join("\n"))]),
          stdout: { write: (text: string) => out.push(text) },
          stderr: { write: (text: string) => err.push(text) },
        },
        "1.2.3",
      );
      if (status !== 0) return refusal(JSON.parse(err.at(-1) ?? ""), { exit: status });
      const text = out.join("");
      return { output: rowOf({ row }).kind === "lines-out" ? text.trimEnd().split("\n") : JSON.parse(text) };
    },
    close: async () => undefined,
  };
}

const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string().min(1) }) });
const kindsSchema = z.record(z.string(), z.object({ http: z.number(), exit: z.number() }));
const KINDS = kindsSchema.parse(ERROR_KINDS);

/** `told`: what the door says of the code in its own way, which has to fit. */
function refusal(body: unknown, told: { readonly http?: number; readonly exit?: number } = {}): Outcome {
  const { code } = errorSchema.parse(body).error;
  const { http, exit } = { ...KINDS[code], ...told };
  if (http !== KINDS[code]?.http || exit !== KINDS[code]?.exit)
    throw new Error(`${code} came with ${JSON.stringify(told)}, and is ${JSON.stringify(KINDS[code])}.`);
  return { refused: code };
}

/** As it would be sent: JSON. */
async function outcomeOf(run: Promise<unknown>): Promise<Outcome> {
  try {
    return { output: JSON.parse(JSON.stringify(await run)) };
  } catch (error) {
    if (!MemoryError.is(error)) throw error;
    return { refused: error.code };
  }
}

async function gather(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
