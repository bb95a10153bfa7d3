/**
 * A JSON reader that forgives what models get wrong: comments, trailing and missing commas, single or typographic quotes,
 * quotes and line breaks left unescaped inside strings, unquoted keys, Python's True/False/None, full-width punctuation,
 * missing or cut-off ends. Of a cut-off text only what was whole is kept: half a string or number is dropped, and so is the
 * last element of a list if it was not finished, for half a fact is worse than none.
 */
import type { Json } from "../base/json.ts";

export type LooseRepair =
  | "comment"
  | "comma"
  | "quote"
  | "line_break"
  | "key"
  | "literal"
  | "bracket"
  | "truncated";

export interface LooseJson {
  readonly value: Json;
  /** Position after the value. */
  readonly end: number;
  readonly repairs: ReadonlySet<LooseRepair>;
}

/** Reads the value that begins at `start`; undefined if what stands there is no JSON even with forgiveness. */
export function readLooseJson(text: string, start: number): LooseJson | undefined {
  const cursor: Cursor = { text, at: start, depth: 0, repairs: new Set() };
  const read = readValue(cursor);
  if (read === undefined || read.value === undefined) return undefined;
  if (!read.whole) cursor.repairs.add("truncated");
  return { value: read.value, end: cursor.at, repairs: cursor.repairs };
}

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  readonly repairs: Set<LooseRepair>;
}

/** `whole` is false if the text ended inside; a scalar that is not whole has no value. */
interface Read {
  readonly value: Json | undefined;
  readonly whole: boolean;
}

const CUT: Read = { value: undefined, whole: false };
const MAX_DEPTH = 100;
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`" };
const LITERALS: Readonly<Record<string, Json>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
  Infinity: null,
};

function readValue(cursor: Cursor): Read | undefined {
  skipSpace(cursor);
  const first = cursor.text[cursor.at];
  if (first === undefined) return CUT;
  if (first === "{" || first === "[") {
    if (cursor.depth >= MAX_DEPTH) return undefined;
    cursor.depth++;
    const read = first === "{" ? readObject(cursor) : readArray(cursor);
    cursor.depth--;
    return read;
  }
  if (first in CLOSING) return readString(cursor, "value");
  return readNumber(cursor) ?? readLiteral(cursor);
}

function readObject(cursor: Cursor): Read | undefined {
  const properties: [string, Json][] = [];
  const done = (whole: boolean): Read => ({ value: Object.fromEntries(properties), whole });
  cursor.at++;
  for (;;) {
    if (skipSeparators(cursor, properties.length > 0)) return done(false);
    const next = cursor.text[cursor.at];
    if (next === "}" || next === "]") {
      close(cursor, "}");
      return done(true);
    }
    const key = readKey(cursor);
    if (key === undefined) return undefined;
    skipSpace(cursor);
    if (!key.whole || cursor.at >= cursor.text.length) return done(false);
    if (!/[:：]/.test(cursor.text[cursor.at] ?? "")) return undefined;
    cursor.at++;
    const read = readValue(cursor);
    if (read === undefined) return undefined;
    if (read.value !== undefined) properties.push([String(key.value), read.value]);
    if (!read.whole) return done(false);
  }
}

function readArray(cursor: Cursor): Read | undefined {
  const elements: Json[] = [];
  cursor.at++;
  for (;;) {
    if (skipSeparators(cursor, elements.length > 0)) return { value: elements, whole: false };
    const next = cursor.text[cursor.at];
    if (next === "]" || next === "}") {
      close(cursor, "]");
      return { value: elements, whole: true };
    }
    const read = readValue(cursor);
    if (read === undefined) return undefined;
    if (!read.whole || read.value === undefined) return { value: elements, whole: false };
    elements.push(read.value);
  }
}

/** Steps over one expected comma; true at the end of the text. Too many or too few commas are forgiven. */
function skipSeparators(cursor: Cursor, expected: boolean): boolean {
  let commas = 0;
  for (skipSpace(cursor); /[,，]/.test(cursor.text[cursor.at] ?? ""); skipSpace(cursor)) {
    commas++;
    cursor.at++;
  }
  const next = cursor.text[cursor.at];
  const closes = next === "}" || next === "]";
  if (next !== undefined && commas !== (expected && !closes ? 1 : 0)) cursor.repairs.add("comma");
  return next === undefined;
}

/** A bracket of the wrong kind belongs to the level above: this level was left open. */
function close(cursor: Cursor, bracket: "}" | "]"): void {
  if (cursor.text[cursor.at] === bracket) cursor.at++;
  else {
    cursor.repairs.add("bracket");
    if (cursor.depth === 1) cursor.at++;
  }
}

const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;

function readKey(cursor: Cursor): Read | undefined {
  if ((cursor.text[cursor.at] ?? "") in CLOSING) return readString(cursor, "key");
  const bare = match(cursor, BARE_KEY);
  if (bare === undefined) return undefined;
  cursor.repairs.add("key");
  return { value: bare, whole: true };
}

/**
 * What may follow the closing quote of a value or a key; any other quote is part of the text. A full-width comma separates
 * only where a key follows it: after a quotation in Chinese prose it is prose.
 */
const AFTER_VALUE = /\s*(?:[,}\]]|$|\/\/|\/\*)|\s*\n\s*["'“{[]|\s*，?\s*["“](?:[^"“”\\\n]|\\.)*["”]\s*[:：]/y;
const AFTER_KEY = /\s*(?:[:：]|$)/y;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function readString(cursor: Cursor, what: "key" | "value"): Read {
  const { text } = cursor;
  const opening = text[cursor.at] ?? '"';
  const closing = CLOSING[opening] ?? '"';
  if (opening !== '"') cursor.repairs.add("quote");
  const after = what === "key" ? AFTER_KEY : AFTER_VALUE;
  let out = "";
  for (let at = cursor.at + 1; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\\") {
      const escaped = readEscape(text, at + 1);
      if (escaped === undefined) break;
      out += escaped.char;
      at = escaped.end - 1;
      continue;
    }
    if (char === closing) {
      after.lastIndex = at + 1;
      if (after.test(text)) {
        cursor.at = at + 1;
        return { value: out.toWellFormed(), whole: true };
      }
      cursor.repairs.add("quote");
    }
    if (char === "\n" || char === "\r") cursor.repairs.add("line_break");
    out += char;
  }
  cursor.at = text.length;
  return CUT;
}

/** Undefined: the text ends within the escape. */
function readEscape(text: string, at: number): { char: string; end: number } | undefined {
  const letter = text[at];
  if (letter === undefined) return undefined;
  if (letter !== "u") return { char: ESCAPES[letter] ?? letter, end: at + 1 };
  const digits = text.slice(at + 1, at + 5);
  if (/^[0-9a-f]{4}$/i.test(digits)) {
    return { char: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 5 };
  }
  return at + 5 > text.length ? undefined : { char: "u", end: at + 1 };
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;

function readNumber(cursor: Cursor): Read | undefined {
  const digits = match(cursor, NUMBER);
  if (digits === undefined) return undefined;
  // More digits might have followed.
  if (cursor.at >= cursor.text.length) return CUT;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(digits)) cursor.repairs.add("literal");
  const value = Number(digits);
  return { value: Number.isFinite(value) ? value : null, whole: true };
}

const WORD = /[A-Za-z]+/y;

function readLiteral(cursor: Cursor): Read | undefined {
  const start = cursor.at;
  const word = match(cursor, WORD);
  if (word === undefined) return undefined;
  if (Object.hasOwn(LITERALS, word)) {
    if (word !== "true" && word !== "false" && word !== "null") cursor.repairs.add("literal");
    return { value: LITERALS[word] ?? null, whole: true };
  }
  const cut = cursor.at >= cursor.text.length && Object.keys(LITERALS).some((name) => name.startsWith(word));
  if (!cut) cursor.at = start;
  return cut ? CUT : undefined;
}

const SPACE = /[\s\uFEFF]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*/y;

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const space = match(cursor, SPACE);
    const comment = match(cursor, COMMENT);
    if (comment !== undefined) cursor.repairs.add("comment");
    if (space === undefined && comment === undefined) return;
  }
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}
