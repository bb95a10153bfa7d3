/**
 * Where does it go? Results to stdout, as text for people or as one JSON value for programs; everything said on the way
 * (progress, warnings, hints) to stderr, so that a pipe carries results only.
 */
import { styleText } from "node:util";
import type { Output } from "./output.ts";
import { type Progress, progressOn } from "./progress.ts";
import type { Language, Words } from "./words.ts";

/** What is typed or piped in. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };

type Format = "bold" | "dim" | "cyan" | "green" | "yellow" | "red";

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin?: Input | undefined;
}

export interface TerminalOptions {
  readonly language: Language;
  readonly isJson: boolean;
  readonly hasColours: boolean;
}

export interface Terminal extends TerminalOptions {
  readonly env: Surroundings["env"];
  readonly input: Input | undefined;
  /** Whether somebody sits there who can be asked. */
  readonly isInteractive: boolean;
  /** The sentence in the reader's language. */
  text(words: Words): string;
  /** A line of the result, for people. */
  say(line?: string): void;
  /** A piece of the result as it comes, for people. */
  write(piece: string): void;
  /** The result, for programs. */
  give(value: unknown): void;
  /** One result of several, or one that is read while the command goes on: a line, for programs. */
  giveLine(value: unknown): void;
  /** A line of a result that is JSON whoever reads it. */
  print(line: string): void;
  /** Beside the result, in either case. */
  note(line: string): void;
  paint(format: Format, text: string): string;
  progress(total: number, unit: Words): Progress;
}

export function openTerminal(
  { env, stdout, stderr, stdin }: Surroundings,
  options: TerminalOptions,
): Terminal {
  const { language, isJson, hasColours } = options;
  const text = (words: Words): string => words[language];
  let bar: Progress | undefined;
  return {
    ...options,
    env,
    input: stdin,
    isInteractive: stdin?.isTTY === true && stdout.isTTY === true && !isJson,
    text,
    say(line = "") {
      if (!isJson) stdout.write(`${line}\n`);
    },
    write(piece) {
      if (!isJson) stdout.write(piece);
    },
    give(value) {
      if (isJson) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    print: (line) => void stdout.write(`${line}\n`),
    giveLine(value) {
      if (isJson) stdout.write(`${JSON.stringify(value)}\n`);
    },
    note(line) {
      bar?.clear();
      stderr.write(`${line}\n`);
    },
    paint: (format, part) => (hasColours ? styleText(format, part, { validateStream: false }) : part),
    progress(total, unit) {
      const drawn = progressOn(stderr, total, text(unit), (time) =>
        text({ en: `${time} left`, zh: `剩余 ${time}` }),
      );
      bar = drawn;
      return {
        ...drawn,
        end() {
          drawn.end();
          bar = undefined;
        },
      };
    },
  };
}

/** As the convention has it: never with NO_COLOR, else with FORCE_COLOR or on a terminal. */
export function wantsColours({ env, stdout }: Surroundings): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
  return stdout.isTTY === true && env.TERM !== "dumb";
}
