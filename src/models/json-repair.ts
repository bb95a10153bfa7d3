/**
 * Where in a reply is the JSON? Direct, in a code fence, or somewhere in the prose, forgiving at every step. Several values
 * may stand in one reply (an example, a citation mark, then the answer), so all are offered, the likeliest first, and the
 * caller takes the first that fits its schema.
 */
import type { Json } from "../base/json.ts";
import { type LooseRepair, readLooseJson } from "./loose-json.ts";
import { withoutThoughts } from "./think-filter.ts";

export type JsonRepair = LooseRepair | "fence" | "prose" | "nested_string";

export interface FoundJson {
  readonly value: Json;
  /** What had to be forgiven, for traces; empty for a clean reply. */
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
  return values
    .sort((a, b) => Number(a.truncated) - Number(b.truncated) || b.length - a.length)
    .map(({ value, repairs, truncated }) => ({ value, repairs, truncated }));
}

function* search(text: string, where: "fence" | "prose"): Generator<FoundJson & { readonly length: number }> {
  const bracket = /[{[]/g;
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const start = bracket.exec(text)?.index;
    if (start === undefined) return;
    const read = readLooseJson(text, start);
    if (read === undefined) continue;
    bracket.lastIndex = Math.max(read.end, start + 1);
    const clean = where === "prose" && start === 0 && read.end === text.length;
    const repairs = clean ? [...read.repairs] : [where, ...read.repairs];
    yield { ...found(read.value, repairs), length: read.end - start };
  }
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
