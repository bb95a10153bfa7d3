/**
 * A prompt as text with holes. The file has two parts, divided by a line "---": above it the instruction (the system
 * message, the same from call to call where it has no holes), below it the data (the user message). A hole is {{name}};
 * single braces are text, so JSON examples are safe. What is wrong with a file is said when it is loaded, not when it
 * is first sent: a hole nobody fills, a value without a hole, braces that belong to nothing.
 */
import { MemoryError } from "../base/errors.ts";
import type { PromptValue } from "./task.ts";

export interface Prompt {
  readonly system: string;
  readonly user: string;
}

const HOLE = /\{\{([a-z][a-z0-9_]*)\}\}/g;
const DIVIDER = /^---[ \t]*$/m;
/** What somebody writes who is used to other templates; valid JSON never looks like it. */
const OTHER_HOLE = /\{\{[^{}]*\}\}|\{\s*[A-Za-z_]\w*\s*\}|\{\{/;

/** Checks the text of a prompt file against the placeholders its task declares; `file` is for the errors. */
export function parsePrompt(text: string, declared: readonly string[], file: string): Prompt {
  const clean = text.replaceAll("\r\n", "\n");
  const divider = DIVIDER.exec(clean);
  if (divider === null) {
    throw wrong(file, 'has no line "---" between instruction and data. Valid: both parts, divided by it.');
  }
  const used = new Set([...clean.matchAll(HOLE)].map(([, name = ""]) => name));
  const undeclared = [...used].filter((name) => !declared.includes(name));
  if (undeclared.length > 0) {
    throw wrong(
      file,
      `uses {{${undeclared.join("}}, {{")}}}, which its task does not fill. ${valid(declared)}`,
      {
        undeclared,
      },
    );
  }
  const missing = declared.filter((name) => !used.has(name));
  if (missing.length > 0) {
    throw wrong(file, `leaves out {{${missing.join("}}, {{")}}}. ${valid(declared)}`, { missing });
  }
  checkBraces(clean, file, declared);
  const system = clean.slice(0, divider.index).trim();
  const user = clean.slice(divider.index + divider[0].length).trim();
  if (system === "" || user === "") throw wrong(file, 'is empty above or below the line "---".');
  return { system, user };
}

/**
 * The prompt with its holes filled. Values are put in once and never read again: data that looks like a hole stays data.
 * A text stands between tags of its own name; whatever would close them early is broken up.
 */
export function renderPrompt(
  prompt: Prompt,
  values: Readonly<Record<string, PromptValue>>,
  none: string,
): Prompt {
  const tags = new RegExp(`<(?=\\s*/?\\s*(?:${Object.keys(values).join("|")})\\b)`, "gi");
  const fill = (part: string): string =>
    part.replace(HOLE, (_, name: string) => {
      const value = values[name];
      if (typeof value === "number") return String(value);
      const text = value === undefined || value.trim() === "" ? none : value.replace(tags, "‹");
      return `<${name}>\n${text}\n</${name}>`;
    });
  return { system: fill(prompt.system), user: fill(prompt.user) };
}

function checkBraces(text: string, file: string, declared: readonly string[]): void {
  const bare = text.replace(HOLE, (hole) => " ".repeat(hole.length));
  const other = OTHER_HOLE.exec(bare);
  if (other !== null) {
    throw wrong(file, `has "${other[0]}" in line ${lineAt(text, other.index)}. ${valid(declared)}`);
  }
  const open: number[] = [];
  for (const { 0: brace, index } of bare.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else if (open.pop() === undefined) throw stray(text, index, file);
  }
  const [left] = open;
  if (left !== undefined) throw stray(text, left, file);
}

function stray(text: string, index: number, file: string): MemoryError {
  return wrong(
    file,
    `has a stray "${text[index]}" in line ${lineAt(text, index)}. Valid: {{name}}, or braces in pairs, as in JSON.`,
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function valid(declared: readonly string[]): string {
  const holes = declared.map((name) => `{{${name}}}`).join(", ");
  return `Valid: ${holes === "" ? "no placeholders" : `each of ${holes}`}.`;
}

function wrong(file: string, problem: string, details = {}): MemoryError {
  return new MemoryError("preset_invalid", `The prompt ${file} ${problem}`, {
    details: { file, ...details },
  });
}
