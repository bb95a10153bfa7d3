/** A YAML text as plain data that remembers its lines, so that what is wrong can be pointed at. */
import { type Document, isMap, isNode, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { MemoryError } from "../base/errors.ts";
import { type Json, jsonSchema } from "../base/json.ts";

export type Path = readonly (string | number)[];

/** Where something stands: the line of what is at a path, or of the nearest thing around it; `depth` says how near. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly depth: number;
}

export interface YamlFile {
  readonly file: string;
  readonly value: Json;
  locate(path: Path): Place;
}

/** Far more than a preset needs; more would be a bomb. */
const MAX_ALIASES = 1000;

export function parseYaml(text: string, file: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, logLevel: "silent" });
  const refuse = (offset: number, message: string, cause?: unknown): never => {
    const where = `${file}:${lines.linePos(offset).line}`;
    throw new MemoryError("preset_invalid", `${where}: ${message}`, { cause, details: { file } });
  };
  // What the parser only warns of (an unknown tag) it would also drop.
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) refuse(wrong.pos[0], tidy(wrong.message), wrong);
  const root = document.contents;
  const locate = (path: Path): Place => {
    const { offset, depth } = offsetOf(root, path);
    return { file, line: lines.linePos(offset).line, depth };
  };
  const data = plainData(document, refuse);
  const parsed = jsonSchema.safeParse(data);
  if (parsed.success) return { file, value: parsed.data, locate };
  return refuse(
    offsetOf(root, strangePath(data)).offset,
    "A preset holds texts, finite numbers, true, false, null, lists and maps only, and no key __proto__.",
  );
}

/** The way to the first thing that is no plain data. */
function strangePath(value: unknown): Path {
  if (typeof value !== "object" || value === null) return [];
  for (const [key, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (key === "__proto__" || !jsonSchema.safeParse(part).success) return [step, ...strangePath(part)];
  }
  return [];
}

function plainData(
  document: Document,
  refuse: (offset: number, message: string, cause?: unknown) => never,
): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return refuse(0, cause.message, cause);
  }
}

function offsetOf(root: Node | null, path: Path): { readonly offset: number; readonly depth: number } {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  let depth = 0;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
    depth++;
  }
  return { offset, depth };
}

/** A map's entry is pointed at by its key: that is what a reader looks for. */
function stepInto(
  node: unknown,
  step: string | number,
): { readonly node: unknown; readonly offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => String(isNode(key) ? key.toJSON() : key) === String(step));
    const start = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
    return pair === undefined || start == null ? undefined : { node: pair.value, offset: start };
  }
  if (isSeq(node) && typeof step === "number") {
    const item = node.items[step];
    const start = isNode(item) ? item.range?.[0] : undefined;
    return start == null ? undefined : { node: item, offset: start };
  }
  return undefined;
}

/** The parser's sentence without the place, which stands before it already. */
function tidy(message: string): string {
  const [first = ""] = message.split("\n");
  return `${first.replace(/ at line \d+, column \d+:?$/, "")}.`;
}
