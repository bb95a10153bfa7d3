/**
 * What of an item is searched? The texts of its value, as a reader would write them: of the fields that `index` names, else of
 * all, each with its name where there are several. An item with `index: false` is remembered by its address alone.
 *
 * Paths are those of LangGraph: "title", "author.name", "chapters[*].content", "tags[0]", "tags[-1]", "*", "{title,body}", "$".
 */
import { MAX_JSON_DEPTH } from "../../base/json.ts";
import { storableText } from "../../base/text-input.ts";
import { cutRecalled } from "../../text/recalled-marks.ts";

export interface Indexed {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: object;
  readonly index: false | readonly string[] | undefined;
}

export function itemText({ namespace, key, value, index }: Indexed): string {
  const address = [...namespace, key].join(" / ");
  if (index === false) return visible(address) || "item";
  const lines =
    index === undefined || index.includes("$")
      ? linesOf(value, "")
      : index.flatMap((path) => found(value, tokensOf(path)).flatMap((part) => linesOf(part, "")));
  const text = visible(lines.length === 1 ? (lines[0]?.text ?? "") : lines.map(named).join("\n"));
  return text || visible(address) || "item";
}

interface Line {
  readonly name: string;
  readonly text: string;
}

function named({ name, text }: Line): string {
  return name === "" ? text : `${name}: ${text}`;
}

/** What nests deeper than anyone writes by hand is kept, and not searched. */
function linesOf(value: unknown, name: string, depth = 0): Line[] {
  if (value === null || value === undefined || depth > MAX_JSON_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((part: unknown) => linesOf(part, name, depth + 1));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, part]) =>
      linesOf(part, name === "" ? key : `${name} ${key}`, depth + 1),
    );
  return [{ name, text: String(value) }];
}

/** What a memory's text may hold, without what no memory is made of: recalled text, which an item may quote. */
function visible(text: string): string {
  return storableText(cutRecalled(text).trim(), " ");
}

/** "chapters[*].content" → chapters, [*], content. */
function tokensOf(path: string): string[] {
  return path.match(/\[[^\]]*\]|\{[^}]*\}|[^.[\]{}]+/gu) ?? [];
}

function found(value: unknown, tokens: readonly string[]): unknown[] {
  const [token, ...rest] = tokens;
  if (token === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (token.startsWith("{"))
    return token
      .slice(1, -1)
      .split(",")
      .flatMap((path) => found(value, [...tokensOf(path.trim()), ...rest]));
  if (token === "*" || token === "[*]")
    return Object.values(value).flatMap((part: unknown) => found(part, rest));
  if (token.startsWith("[")) {
    const place = Number(token.slice(1, -1));
    return Array.isArray(value) && Number.isInteger(place) ? found(value.at(place), rest) : [];
  }
  return Object.hasOwn(value, token) ? found(Reflect.get(value, token), rest) : [];
}
