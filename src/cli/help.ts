/** What can I type? Pages written from the table of commands. */
import type { Command, Option } from "./command.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { usageOf } from "./parse.ts";
import type { Terminal } from "./terminal.ts";
import { padEnd } from "./text-width.ts";

const TITLE = {
  en: "neuromem: a memory that loses nothing and explains every recall",
  zh: "neuromem：什么都不丢、每次回忆都说得清的记忆",
};
const MORE = {
  en: "neuromem COMMAND --help tells more about a command.",
  zh: "neuromem 命令 --help 显示该命令的说明。",
};

/** All commands, or those of a group: "preset". */
export function listPage(commands: readonly Command[], terminal: Terminal): string {
  const { text, paint } = terminal;
  const rows = commands.map((command) => [usageOf(command), text(command.summary)] as const);
  return [
    paint("bold", text(TITLE)),
    "",
    ...columns(rows),
    "",
    ...optionRows(COMMON_OPTIONS, terminal),
    "",
    text(MORE),
  ].join("\n");
}

export function commandPage(command: Command, terminal: Terminal): string {
  const { text, paint } = terminal;
  const rows = command.arguments.map(({ name, summary }) => [name, text(summary)] as const);
  const own = optionRows(command.options, terminal);
  return [
    `${paint("bold", usageOf(command))} [${text({ en: "options", zh: "选项" })}]`,
    "",
    text(command.summary),
    ...(command.details === undefined ? [] : ["", text(command.details)]),
    ...(rows.length === 0 ? [] : ["", ...columns(rows)]),
    ...(own.length === 0 ? [] : ["", ...own]),
    "",
    ...optionRows(COMMON_OPTIONS, terminal),
  ].join("\n");
}

function optionRows(options: Readonly<Record<string, Option>>, { text }: Terminal): string[] {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const more = option.isRepeatable === true ? " …" : "";
    const value = option.value === undefined ? "" : ` ${option.value}${more}`;
    const preset =
      option.default === undefined ? "" : ` (${text({ en: "default", zh: "默认" })}: ${option.default})`;
    return [`${short}--${name}${value}`, `${text(option.summary)}${preset}`] as const;
  });
  return columns(rows);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${padEnd(left, width)}  ${right}`);
}
