/**
 * What is an operation? One call that others can make: what it is called, what it takes and gives, what it does to the
 * memory, and how it is done. Every door derives from the one table of them (index.ts): HTTP routes and their OpenAPI page,
 * MCP tools, the command line, the typed client. So the doors cannot drift apart, and a new call is one file and one line.
 *
 * Whose memory it is does not stand in the input. A door decides that (a key, a header, --scope) before it hands over a
 * `Memory`, which is bound to one scope: an operation has no way to reach another.
 *
 * A row only names the runtime's types, so the table can be read in a browser, where no engine is.
 */
import type { z } from "zod";
import { parseInput } from "../base/parse-input.ts";
import type { Memory } from "../runtime/memory.ts";
import type { Words } from "./words.ts";

export interface Call {
  readonly signal?: AbortSignal | undefined;
  /** Told now and then in long work; `total` is 0 where nobody knows it. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What it does to what is stored. Looks that a recall counts are no change. */
export type Effect = "read" | "write" | "erase";

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** As /v1/memories/{id}: a part in braces is a field of the input. The other fields are the query of GET and DELETE, and the body of POST. */
  readonly path: `/v1/${string}`;
}

interface Row<Input, Output> {
  /** The verb of `Memory`, as the client has it: comprehensiveRecall. */
  readonly name: string;
  /** One line without a full stop: help, OpenAPI and the docs have it. */
  readonly summary: Words;
  readonly effect: Effect;
  /** Whether doing it twice leaves what doing it once does. */
  readonly isIdempotent: boolean;
  readonly route: Route;
  /** What a model is told about it, tersely; null: it is no MCP tool. At most eight rows have one. */
  readonly tool: string | null;
  readonly input: z.ZodType<Input>;
  /** Of what is given back as JSON; of one line, where lines are given back. */
  readonly output: z.ZodType<Output>;
}

/** JSON in, JSON out. `given` comes from outside: it is checked against `input` before anything is done. */
export interface CallOperation<Input = unknown, Output = unknown> extends Row<Input, Output> {
  readonly kind: "call";
  run(memory: Memory, given: unknown, call?: Call): Promise<Output>;
}

/** JSON in, lines of JSON out, as they come. */
export interface LinesOutOperation<Input = unknown> extends Row<Input, string> {
  readonly kind: "lines-out";
  run(memory: Memory, given: unknown, call?: Call): AsyncIterable<string>;
}

/** Lines of JSON in (they are the body; the input is the query), JSON out. */
export interface LinesInOperation<Input = unknown, Output = unknown> extends Row<Input, Output> {
  readonly kind: "lines-in";
  run(memory: Memory, given: unknown, lines: AsyncIterable<string>, call?: Call): Promise<Output>;
}

/** Any row, as the doors see it. */
export type Operation = CallOperation | LinesOutOperation | LinesInOperation;

type Defined<Input, Output, Run> = Row<Input, Output> & { readonly run: Run };

export function defineCall<Input, Output>(
  row: Defined<Input, Output, (memory: Memory, input: Input, call: Call) => Promise<Output>>,
): CallOperation<Input, Output> {
  return {
    ...row,
    kind: "call",
    run: async (memory, given, call = {}) => row.run(memory, checked(row, given), call),
  };
}

export function defineLinesOut<Input>(
  row: Defined<Input, string, (memory: Memory, input: Input, call: Call) => AsyncIterable<string>>,
): LinesOutOperation<Input> {
  return {
    ...row,
    kind: "lines-out",
    run: (memory, given, call = {}) => row.run(memory, checked(row, given), call),
  };
}

export function defineLinesIn<Input, Output>(
  row: Defined<
    Input,
    Output,
    (memory: Memory, input: Input, lines: AsyncIterable<string>, call: Call) => Promise<Output>
  >,
): LinesInOperation<Input, Output> {
  return {
    ...row,
    kind: "lines-in",
    run: async (memory, given, lines, call = {}) => row.run(memory, checked(row, given), lines, call),
  };
}

function checked<Input>({ name, input }: Row<Input, unknown>, given: unknown): Input {
  return parseInput(input, given, `input of ${name}`);
}
