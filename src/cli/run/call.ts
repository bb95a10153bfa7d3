/** A row of the table on the memory that the options name, or what rows there are. */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { parseInput } from "../../base/parse-input.ts";
import { OPERATIONS, type Operation } from "../../operations/index.ts";
import type { Memory } from "../../runtime/memory.ts";
import type { Given } from "../command.ts";
import { inputText } from "../input-text.ts";
import { pipedLines } from "../piped-lines.ts";
import type { Progress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd } from "../text-width.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

const UNIT = { en: "done", zh: "项" };

export async function callOperation(given: Given, terminal: Terminal): Promise<number> {
  const name = given.argument("OPERATION");
  if (name === "") return listOperations(terminal);
  const operation = OPERATIONS.find((row) => row.name === name);
  if (operation === undefined) {
    const names = OPERATIONS.map((row) => row.name);
    throw new MemoryError("unknown_name", `There is no call "${name}". ${validNames(name, names)}`);
  }
  const input = await inputOf(operation, given, terminal);
  // Before anything is opened or made.
  parseInput(operation.input, input, `input of ${name}`);
  // A call that writes makes the memory that it writes to.
  const opening = { isNew: operation.effect === "write", isQuiet: true };
  return withMemory(given, terminal, opening, async ({ memory }) => {
    await stoppable((signal) => run(operation, memory, input, signal, terminal));
    return 0;
  });
}

function listOperations(terminal: Terminal): number {
  const { say, give, text } = terminal;
  give({
    operations: OPERATIONS.map(({ name, summary, effect, isIdempotent, kind, route, input }) => ({
      ...{ name, summary, effect, isIdempotent, kind, route },
      input: z.toJSONSchema(input, { io: "input" }),
    })),
  });
  const width = Math.max(...OPERATIONS.map(({ name }) => name.length));
  for (const { name, effect, summary } of OPERATIONS)
    say(`  ${padEnd(name, width)}  ${padEnd(effect, 5)}  ${text(summary)}`);
  return 0;
}

async function inputOf(operation: Operation, given: Given, terminal: Terminal): Promise<unknown> {
  const { name, kind } = operation;
  if (given.argument("JSON") === "") return {};
  if (given.argument("JSON") === "-" && kind === "lines-in") {
    throw new MemoryError(
      "input_invalid",
      `The lines of ${name} come from stdin, so its input cannot. Valid: neuromem call ${name} '{…}' < FILE.`,
    );
  }
  const text = await inputText(given, "JSON", terminal);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `The input of ${name} is no JSON. Valid: an object as '${exampleOf(operation)}', in quotes.`,
      { cause },
    );
  }
}

function exampleOf({ input }: Operation): string {
  const { properties = {}, required = Object.keys(properties) } = z.toJSONSchema(input, { io: "input" });
  return required[0] === undefined ? "{}" : `{"${required[0]}": …}`;
}

async function run(
  operation: Operation,
  memory: Memory,
  input: unknown,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  let progress: Progress | undefined;
  let told = 0;
  const onProgress = (done: number, total: number): void => {
    progress ??= terminal.progress(total, UNIT);
    progress.add(done - told);
    told = done;
  };
  const call = { signal, onProgress };
  try {
    if (operation.kind === "lines-out") {
      for await (const line of operation.run(memory, input, { signal })) terminal.print(line);
      return;
    }
    const output =
      operation.kind === "lines-in"
        ? await operation.run(memory, input, pipedLines(terminal.input, signal), call)
        : await operation.run(memory, input, call);
    terminal.print(JSON.stringify(output, null, 2));
  } finally {
    progress?.end();
  }
}
