/** What is a command? A row of a table: what it is called, what it takes, what it does. Help is written from it. */
import type { Terminal } from "./terminal.ts";
import type { Words } from "./words.ts";

export interface Argument {
  /** As help writes it: FILE. */
  readonly name: string;
  readonly summary: Words;
  /** All words from here on are one text. */
  readonly isRest?: boolean;
  /** May be left out; then it is "". */
  readonly isOptional?: boolean;
}

export interface Option {
  readonly summary: Words;
  /** What stands behind it, as help writes it: PATH; unsaid: it is a switch. */
  readonly value?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly short?: string;
  /** May be given several times; `texts` has them all. */
  readonly isRepeatable?: boolean;
}

export interface Command {
  /** One or more words: "preset list". */
  readonly name: string;
  readonly summary: Words;
  readonly arguments: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** More of what help says: an example, what to know. */
  readonly details?: Words;
  /** Gives the exit code. What it needs is loaded when it runs: a page of help needs no engine. */
  run(given: Given, terminal: Terminal): Promise<number>;
}

/** What somebody wrote behind the command's name, checked against its row. */
export interface Given {
  /** All arguments are there; one that may be left out is "" then. */
  argument(name: string): string;
  text(option: string): string | undefined;
  /** All that was said with a repeatable option, in order; its default where it was not given. */
  texts(option: string): readonly string[];
  isSet(option: string): boolean;
}

/** Every command has them. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { summary: { en: "print JSON for programs", zh: "输出 JSON，供程序使用" } },
  lang: {
    value: "en|zh",
    choices: ["en", "zh"],
    summary: { en: "language; else from LC_ALL or LANG", zh: "语言；默认取自 LC_ALL 或 LANG" },
  },
  "no-color": { summary: { en: "no colours; also by NO_COLOR", zh: "不用颜色；也可设 NO_COLOR" } },
  help: { short: "h", summary: { en: "this page", zh: "显示本页" } },
};
