/**
 * Where in a JSON text does a value stand? So that something can be put beside it while every other byte stays as the client
 * wrote it: parsed and written anew, a number of twenty digits or a doubled key would not come out as it went in.
 * The text is one that `JSON.parse` has taken; what it takes of doubled keys, the last, is meant here, too.
 */

/** [start, end) in the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** undefined: there is nothing at this path. */
export function spanOf(text: string, path: readonly (string | number)[]): Span | undefined {
  let span: Span | undefined = valueAt(text, 0);
  for (const step of path) {
    if (span === undefined) return undefined;
    span = typeof step === "string" ? memberOf(text, span, step) : elementsOf(text, span)[step];
  }
  return span;
}

function elementsOf(text: string, { start }: Span): Span[] {
  if (text[start] !== "[") return [];
  const found: Span[] = [];
  for (let at = skipSpace(text, start + 1); text[at] !== "]"; ) {
    const element = valueAt(text, at);
    found.push(element);
    at = skipSpace(text, element.end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function memberOf(text: string, { start }: Span, name: string): Span | undefined {
  if (text[start] !== "{") return undefined;
  let found: Span | undefined;
  for (let at = skipSpace(text, start + 1); text[at] !== "}"; ) {
    const key = valueAt(text, at);
    const value = valueAt(text, skipSpace(text, key.end) + 1);
    if (JSON.parse(text.slice(key.start, key.end)) === name) found = value;
    at = skipSpace(text, value.end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function valueAt(text: string, from: number): Span {
  const start = skipSpace(text, from);
  const sign = text[start];
  if (sign === '"') return { start, end: stringEnd(text, start) };
  if (sign !== "{" && sign !== "[") return { start, end: matchEnd(SCALAR, text, start) };
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const here = text[at];
    if (here === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (here === "{" || here === "[") depth++;
    if (here === "}" || here === "]") depth--;
    at++;
    if (depth === 0) return { start, end: at };
  }
  return { start, end: text.length };
}

/** Behind the closing quote: the next one that no odd number of backslashes stands before. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /[^\s,\]}]*/y;

function skipSpace(text: string, at: number): number {
  return matchEnd(SPACE, text, at);
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
