/**
 * Where in a reply is the JSON? Direct, in a code fence, or somewhere in the prose, forgiving at every step. Several values
 * may stand in one reply (an example, a citation mark, then the answer), so all are offered, the likeliest first, and the
 * caller takes the first that fits its schema. Parts of a value that could not be read are never offered: an empty list
 * inside a broken answer is not the answer.
 */
import type { Json } from "../base/json.ts";
import { type LooseRepair, readLooseJson } from "./loose-json.ts";
import { withoutThoughts } from "./think-filter.ts";

export type JsonRepair = LooseRepair | "fence" | "prose" | "nested_string";

export interface FoundJson {
  readonly value: Json;
  /** What had to be forgiven, for traces; empty for a clean reply. "prose": other words stand beside it. */
  readonly repairs: readonly JsonRepair[];
  /** The reply ended inside it: something after the last whole part is missing. */
  readonly truncated: boolean;
}

/** Brackets tried as the beginning of a value before the search is given up. */
const MAX_STARTS = 200;
const FENCE = /```[^\S\n]*[\w+-]*[^\S\n]*\n?([\s\S]*?)(?:```|$)/g;

export function readJson(reply: string): FoundJson[] {
  const text = withoutThoughts(reply.replace(/^\uFEFF/, "")).trim();
  const whole = strict(text);
  if (whole !== undefined) return typeof whole === "string" ? nested(whole) : [found(whole, [])];

  const values: (FoundJson & { readonly length: number })[] = [];
  for (const fence of text.matchAll(FENCE)) values.push(...search(fence[1] ?? "", "fence"));
  // In the prose around the fences, too: a string inside the answer may itself hold a fence.
  values.push(...search(text, "prose"));
  // By length, for the answer is longer than an example of it, even where it was cut off.
  return values
    .sort((a, b) => b.length - a.length || Number(a.truncated) - Number(b.truncated))
    .map(({ value, repairs, truncated }) => ({ value, repairs, truncated }));
}

function* search(text: string, where: "fence" | "prose"): Generator<FoundJson & { readonly length: number }> {
  const bracket = /[{[]/g;
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const start = bracket.exec(text)?.index;
    if (start === undefined) return;
    const read = readLooseJson(text, start);
    if (read === undefined) {
      BEGUN.lastIndex = start;
      if (BEGUN.test(text)) bracket.lastIndex = endOf(text, start);
      continue;
    }
    bracket.lastIndex = Math.max(read.end, start + 1);
    const alone = text.slice(0, start).trim() === "" && text.slice(read.end).trim() === "";
    const repairs: JsonRepair[] = [...read.repairs];
    if (!alone) repairs.unshift("prose");
    if (where === "fence") repairs.unshift("fence");
    yield { ...found(read.value, repairs), length: read.end - start };
  }
}

/** A bracket that begins data, not a remark in brackets: after it comes a key, a value or a comment. */
const BEGUN = /\{\s*(?:["'“‘`/#]|[\p{L}_$][\p{L}\p{N}_$-]*\s*[:：])|\[\s*[[{"'“‘`/#\d-]/uy;
const BRACKET_OR_STRING = /[{}[\]]|"(?:[^"\\]|\\[\s\S])*"/g;

/** Behind the bracket that closes the one at `start`, or the end of the text. */
function endOf(text: string, start: number): number {
  BRACKET_OR_STRING.lastIndex = start;
  let depth = 0;
  for (let next = BRACKET_OR_STRING.exec(text); next !== null; next = BRACKET_OR_STRING.exec(text)) {
    if (next[0] === "{" || next[0] === "[") depth++;
    else if ((next[0] === "}" || next[0] === "]") && --depth === 0) return BRACKET_OR_STRING.lastIndex;
  }
  return text.length;
}

function found(value: Json, repairs: readonly JsonRepair[]): FoundJson {
  return { value, repairs, truncated: repairs.includes("truncated") };
}

/** JSON inside a JSON string, as some models answer a request for JSON. */
function nested(text: string): FoundJson[] {
  return strict(text) === undefined && !/[{[]/.test(text)
    ? [found(text, [])]
    : readJson(text).map(({ value, repairs }) => found(value, ["nested_string", ...repairs]));
}

function strict(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
