/** Which command is meant, and how does it end? Errors become a sentence and the exit code of their kind. */
import { ERROR_KINDS, MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { COMMON_OPTIONS, type Command } from "./command.ts";
import { commandPage, listPage } from "./help.ts";
import { parseWords } from "./parse.ts";
import { openTerminal, type Surroundings, type Terminal, wantsColours } from "./terminal.ts";
import { languageOf } from "./words.ts";

/** A failure that is none of ours. */
const UNEXPECTED = 70;

/** Runs what the words say and gives the exit code. */
export async function route(
  words: readonly string[],
  commands: readonly Command[],
  surroundings: Surroundings,
  version: string,
): Promise<number> {
  const switches = optionsPart(words);
  const isJson = switches.includes("--json");
  try {
    const language = languageOf(languageAsked(switches), surroundings.env);
    const hasColours = !switches.includes("--no-color") && wantsColours(surroundings);
    const terminal = openTerminal(surroundings, { language, isJson, hasColours });
    return await dispatch(namesFirst(words), commands, terminal, version);
  } catch (error) {
    return fail(error, isJson, surroundings);
  }
}

async function dispatch(
  words: readonly string[],
  commands: readonly Command[],
  terminal: Terminal,
  version: string,
): Promise<number> {
  const [first] = words;
  const wantsHelp = optionsPart(words).some((word) => word === "--help" || word === "-h");
  if (first === "--version") {
    terminal.say(version);
    terminal.give({ version });
    return 0;
  }
  const command = commandOf(words, commands);
  if (command !== undefined) {
    const given = parseWords(words.slice(command.name.split(" ").length), command);
    if (!wantsHelp) return command.run(given, terminal);
    terminal.say(commandPage(command, terminal));
    terminal.give(asData(command));
    return 0;
  }
  const name = first === undefined || first.startsWith("-") ? undefined : first;
  const inGroup = commands.filter((one) => name === undefined || one.name.startsWith(`${name} `));
  if (inGroup.length === 0) throw unknownCommand(name ?? "", commands);
  const next = name === undefined ? first : words[1];
  if (next !== undefined && !next.startsWith("-")) throw unknownCommand(`${name} ${next}`, inGroup);
  const strange = words.find((word) => word.startsWith("-") && !isCommonOption(word));
  if (strange !== undefined) throw unknownOption(strange);
  terminal.say(listPage(inGroup, terminal));
  terminal.give({ commands: inGroup.map(asData) });
  return 0;
}

/** What stands behind -- is text. */
function optionsPart(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? words : words.slice(0, end);
}

/** The longest name that the words begin with. */
function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const fitting = commands.filter(({ name }) => name === words.slice(0, name.split(" ").length).join(" "));
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** `neuromem --json preset list` means the same as with the option behind, and `neuromem help import` as `import --help`. */
function namesFirst(words: readonly string[]): string[] {
  const rest = words[0] === "help" ? [...words.slice(1), "--help"] : [...words];
  const options: string[] = [];
  while (rest[0]?.startsWith("-") === true && rest[0] !== "--version") {
    const [option = ""] = rest.splice(0, 1);
    if (!isCommonOption(option)) throw unknownOption(option);
    options.push(option, ...(option === "--lang" ? rest.splice(0, 1) : []));
  }
  // Before a -- that makes everything behind it text.
  const end = rest.indexOf("--");
  return end < 0 ? [...rest, ...options] : [...rest.slice(0, end), ...options, ...rest.slice(end)];
}

function languageAsked(words: readonly string[]): string | undefined {
  const place = words.findIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const word = words[place];
  return word === "--lang" ? words[place + 1] : word?.slice("--lang=".length);
}

function isCommonOption(word: string): boolean {
  const name = word.replace(/^--?/, "").replace(/=.*/, "");
  return Object.entries(COMMON_OPTIONS).some(([long, { short }]) => name === long || name === short);
}

function unknownCommand(name: string, commands: readonly Command[]): MemoryError {
  const names = commands.map((command) => command.name);
  return new MemoryError("unknown_name", `There is no command "${name}". ${validNames(name, names)}`);
}

function unknownOption(word: string): MemoryError {
  const names = [...Object.keys(COMMON_OPTIONS), "version"].map((name) => `--${name}`);
  return new MemoryError(
    "unknown_name",
    `There is no option ${word} before a command. ${validNames(word, names)} A command's own options stand behind its name.`,
  );
}

function asData({ name, summary, arguments: args, options }: Command): unknown {
  return { name, summary, arguments: args, options };
}

function fail(error: unknown, isJson: boolean, { stderr }: Surroundings): number {
  const message = error instanceof Error ? error.message : String(error);
  const code = MemoryError.is(error) ? error.code : "invariant";
  const details = MemoryError.is(error) ? error.details : {};
  stderr.write(isJson ? `${JSON.stringify({ error: { code, message, details } })}\n` : `${message}\n`);
  return MemoryError.is(error) ? ERROR_KINDS[error.code].exit : UNEXPECTED;
}
