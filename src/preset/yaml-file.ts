/** A YAML text as plain data that remembers its lines, so that what is wrong can be pointed at. */
import { isMap, isNode, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { MemoryError } from "../base/errors.ts";
import { type Json, jsonSchema } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";

export type Path = readonly (string | number)[];

export interface YamlFile {
  readonly file: string;
  readonly value: Json;
  /** The line of what stands at a path, or of the nearest thing around it that is there. */
  lineOf(path: Path): number;
}

export function parseYaml(text: string, file: string): YamlFile {
  const lines = new LineCounter();
  // Aliases may multiply; a preset is small, so a low bound stops a bomb.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = lines.linePos(error.pos[0]).line;
    throw new MemoryError("preset_invalid", `${file}:${line}: ${firstLine(error.message)}`, { cause: error });
  }
  const value: unknown = document.toJS({ maxAliasCount: 20 });
  const root = document.contents;
  return {
    file,
    value: parseInput(jsonSchema, value ?? null, `file ${file}`, "preset_invalid"),
    lineOf: (path) => lines.linePos(offsetOf(root, path)).line,
  };
}

function offsetOf(root: Node | null, path: Path): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
  }
  return offset;
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

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
