/**
 * A YAML file of sections, and of named blocks in them, each block parsed when it is asked for: a preset needs a tenth of
 * the recommended values, and whoever starts would wait longest for the parsing of all.
 */
import { MemoryError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { asObject } from "./option-table.ts";
import { parseYaml } from "./yaml-file.ts";

export interface YamlBlocks {
  readonly sections: readonly string[];
  /** Of the blocks in a section, in their order. */
  names(section: string): readonly string[];
  /** undefined: there is no such block. */
  value(section: string, name: string): Json | undefined;
}

interface Block {
  readonly first: number;
  readonly lines: string[];
}

export function yamlBlocks(text: string, file: string): YamlBlocks {
  const sections = cut(text, file);
  const known = new Map<Block, Json | undefined>();
  const parsed = (block: Block, name: string): Json | undefined => {
    if (!known.has(block)) {
      // In its place, so that a fault is found in the file's own line.
      const placed = "\n".repeat(block.first) + block.lines.join("\n");
      known.set(block, asObject(parseYaml(placed, file).value)?.[name]);
    }
    return known.get(block);
  };
  return {
    sections: [...sections.keys()],
    names: (section) => [...(sections.get(section)?.keys() ?? [])],
    value(section, name) {
      const block = sections.get(section)?.get(name);
      return block === undefined ? undefined : parsed(block, name);
    },
  };
}

const SECTION = /^(\w+):\s*(?:#.*)?$/;
const BLOCK = /^ {2}(\w+):/;
/** What belongs to the block before it, or is a comment or nothing. */
const REST = /^(?: {3}|\s*(?:#.*)?$)/;

function cut(text: string, file: string): Map<string, Map<string, Block>> {
  const sections = new Map<string, Map<string, Block>>();
  let section: Map<string, Block> | undefined;
  let block: Block | undefined;
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    const [, opened] = SECTION.exec(line) ?? [];
    const [, named] = BLOCK.exec(line) ?? [];
    if (opened !== undefined && !sections.has(opened)) {
      section = new Map();
      sections.set(opened, section);
      block = undefined;
    } else if (named !== undefined && section?.has(named) === false) {
      block = { first: place, lines: [line] };
      section.set(named, block);
    } else if (REST.test(line)) {
      block?.lines.push(line);
    } else {
      throw new MemoryError(
        "preset_invalid",
        `${file}:${place + 1}: This is neither a new section ("name:") nor a new block in one ("  name: …").`,
        { details: { file } },
      );
    }
  }
  return sections;
}
