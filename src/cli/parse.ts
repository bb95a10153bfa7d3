/** From words on a command line to what a command was given, or to what is wrong with them and what would be valid. */
import { parseArgs } from "node:util";
import { invariant, MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { COMMON_OPTIONS, type Command, type Given, type Option } from "./command.ts";

/** What follows the command's name. */
export function parseWords(words: readonly string[], command: Command): Given {
  const options = optionsOf(command);
  const { values, repeated, positionals } = readOptions(words, options, command.name);
  const given = namedArguments(command, positionals, values.has("help"));
  return {
    argument(name) {
      const value = given.get(name);
      invariant(value !== undefined, `The command "${command.name}" asks for an argument ${name} it has not`);
      return value;
    },
    text(name) {
      invariant(Object.hasOwn(options, name), `The command "${command.name}" asks for --${name}`);
      return values.get(name) ?? options[name]?.default;
    },
    texts(name) {
      invariant(
        options[name]?.isRepeatable === true,
        `The command "${command.name}" asks for every --${name}`,
      );
      const { default: usual } = options[name] ?? {};
      return repeated.get(name) ?? (usual === undefined ? [] : [usual]);
    },
    isSet: (name) => values.has(name),
  };
}

export function optionsOf({ options }: Pick<Command, "options">): Readonly<Record<string, Option>> {
  return { ...options, ...COMMON_OPTIONS };
}

/** The options, by name, the last of each; a switch has the value "". Repeatable ones are there with all their values, too. */
export function readOptions(
  words: readonly string[],
  options: Readonly<Record<string, Option>>,
  name: string,
): {
  readonly values: ReadonlyMap<string, string>;
  readonly repeated: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
} {
  const { tokens, positionals } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([key, { value, short }]) => [
        key,
        { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
      ]),
    ),
  });
  const values = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, options, name);
    const value = checkedValue(token, option);
    values.set(token.name, value);
    if (option.isRepeatable === true) repeated.set(token.name, [...(repeated.get(token.name) ?? []), value]);
  }
  return { values, repeated, positionals };
}

function checkedValue(
  { name, value, inlineValue }: { name: string; value: string | undefined; inlineValue: boolean | undefined },
  option: Option,
): string {
  if (option.value === undefined) {
    if (value === undefined) return "";
    throw new MemoryError("option_invalid", `--${name} takes no value. Valid: --${name} alone.`);
  }
  if (value === undefined || (inlineValue === false && value.startsWith("--"))) {
    throw new MemoryError("option_invalid", `--${name} needs a value. Valid: --${name} ${option.value}.`);
  }
  if (option.choices?.includes(value) === false) {
    throw new MemoryError("option_invalid", `--${name} is "${value}". ${validNames(value, option.choices)}`);
  }
  return value;
}

function unknownOption(raw: string, options: Readonly<Record<string, Option>>, command: string): MemoryError {
  const names = Object.keys(options).map((name) => `--${name}`);
  return new MemoryError(
    "unknown_name",
    `neuromem ${command} has no option ${raw}. ${validNames(raw, names)} A text that begins with - stands behind --.`,
  );
}

function namedArguments(
  command: Command,
  positionals: readonly string[],
  isHelp: boolean,
): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  let left = [...positionals];
  for (const { name, isRest, isOptional = false } of command.arguments) {
    const words = isRest === true ? left.splice(0) : left.splice(0, 1);
    if (words.join("").trim() === "" && !isHelp && !isOptional) {
      throw new MemoryError("input_invalid", `${name} is missing. Valid: ${usageOf(command)}.`);
    }
    given.set(name, words.join(" "));
  }
  left = isHelp ? [] : left;
  if (left.length > 0) {
    throw new MemoryError("input_invalid", `"${left[0]}" is one too many. Valid: ${usageOf(command)}.`);
  }
  return given;
}

/** As "neuromem preset diff A B". */
export function usageOf(command: Command): string {
  const names = command.arguments.map(({ name, isOptional }) => (isOptional === true ? `[${name}]` : name));
  return ["neuromem", command.name, ...names].join(" ");
}
