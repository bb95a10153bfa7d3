/** Completion for a shell, written from the table of commands and the names of the designs. */
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { listPresets } from "../../preset/load.ts";
import type { Command, Given, Option } from "../command.ts";
import { optionsOf } from "../parse.ts";
import { SHELLS, type Shell } from "../shells.ts";
import type { Terminal } from "../terminal.ts";

/** What may follow: under "preset diff" its options, under "preset" its second words, under "" the first ones. */
type Table = readonly { readonly before: string; readonly words: readonly string[] }[];

export async function printCompletion(
  given: Given,
  terminal: Terminal,
  commands: readonly Command[],
): Promise<number> {
  const asked = given.argument("SHELL");
  const shell = SHELLS.find((one) => one === asked);
  if (shell === undefined) {
    throw new MemoryError(
      "unknown_name",
      `There is no completion for "${asked}". ${validNames(asked, SHELLS)}`,
    );
  }
  const script = completionScript(shell, commands, await listPresets());
  terminal.give({ shell, script });
  terminal.say(script);
  return 0;
}

function completionScript(shell: Shell, commands: readonly Command[], presets: readonly string[]): string {
  const values = valuesOf(commands, presets);
  const table = tableOf(commands, presets);
  if (shell === "fish") return fish(commands, table, values);
  const body = bash(table, values);
  return shell === "bash" ? body : `autoload -U +X bashcompinit && bashcompinit\n${body}`;
}

function tableOf(commands: readonly Command[], presets: readonly string[]): Table {
  const names = commands.map(({ name }) => name.split(" "));
  const firsts = [...new Set(names.map(([first = ""]) => first))];
  const groups = firsts.filter((first) => names.some(([one, next]) => one === first && next !== undefined));
  return [
    { before: "", words: [...firsts, "help", "--help", "--version"] },
    ...groups.map((group) => ({
      before: group,
      words: names.flatMap(([first, next]) => (first === group && next !== undefined ? [next] : [])),
    })),
    ...commands.map((command) => ({ before: command.name, words: wordsOf(command, presets) })),
  ];
}

function wordsOf(command: Command, presets: readonly string[]): string[] {
  const options = Object.keys(optionsOf(command)).map((name) => `--${name}`);
  const isOfPresets = command.arguments.some(({ name }) => ["NAME", "A", "B"].includes(name));
  return [...(isOfPresets ? presets : []), ...(command.name === "completion" ? SHELLS : []), ...options];
}

/** Behind an option: what it may be. An option without a list of values is completed by files. */
function valuesOf(
  commands: readonly Command[],
  presets: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>([["--preset", presets]]);
  for (const command of commands)
    for (const [name, { choices }] of Object.entries<Option>(optionsOf(command)))
      if (choices !== undefined) found.set(`--${name}`, choices);
  return found;
}

function bash(table: Table, values: ReadonlyMap<string, readonly string[]>): string {
  const cases = table.map(({ before, words }) => `    "${before}") words="${words.join(" ")}" ;;`);
  const options = [...values].map(([name, words]) => `    ${name}) words="${words.join(" ")}" ;;`);
  const names = table.map(({ before }) => before).filter((before) => before !== "");
  return `_neuromem() {
  local word="\${COMP_WORDS[COMP_CWORD]}" last="\${COMP_WORDS[COMP_CWORD-1]}" words="" before="" two=""
  COMPREPLY=()
  case "$last" in
${options.join("\n")}
  esac
  if [ -z "$words" ]; then
    [ "$COMP_CWORD" -gt 1 ] && before="\${COMP_WORDS[1]}"
    [ "$COMP_CWORD" -gt 2 ] && two="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
    case "$two" in
      ${names
        .filter((name) => name.includes(" "))
        .map((name) => `"${name}"`)
        .join("|")}) before="$two" ;;
    esac
    case "$before" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _neuromem neuromem`;
}

function fish(
  commands: readonly Command[],
  table: Table,
  values: ReadonlyMap<string, readonly string[]>,
): string {
  const lines = ["complete -c neuromem -e"];
  const [top] = table;
  lines.push(`complete -c neuromem -n __fish_use_subcommand -f -a "${top?.words.join(" ")}"`);
  for (const { before, words } of table) {
    const isGroup = before !== "" && !commands.some(({ name }) => name === before);
    if (isGroup)
      lines.push(
        `complete -c neuromem -n "__fish_seen_subcommand_from ${before}; and not __fish_seen_subcommand_from ${words.join(" ")}" -f -a "${words.join(" ")}"`,
      );
  }
  for (const command of commands) {
    const seen = command.name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    for (const [name, option] of Object.entries(optionsOf(command)))
      lines.push(`complete -c neuromem -n "${seen}" ${fishOption(name, option, values)}`);
  }
  return lines.join("\n");
}

function fishOption(name: string, option: Option, values: ReadonlyMap<string, readonly string[]>): string {
  const words = values.get(`--${name}`);
  const value = option.value === undefined ? "" : words === undefined ? " -r" : ` -x -a "${words.join(" ")}"`;
  return `-l ${name}${value} -d "${option.summary.en.replaceAll('"', "'")}"`;
}
