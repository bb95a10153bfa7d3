/**
 * A preset and those it extends, as one: what it writes takes the place of what the other wrote, key by key at the top, in
 * `service` (of the same name), in `models` and in `input`, and stage by stage. Where something stands is asked of the
 * files in turn, so that a fault is shown in the file that has it.
 */
import { dirname, resolve } from "node:path";
import type { Json, JsonObject } from "../base/json.ts";
import { SERVICES } from "../services/index.ts";
import { asObject } from "./option-table.ts";
import type { Path, Place, YamlFile } from "./yaml-file.ts";

/** Child first. */
export function inherit(files: readonly YamlFile[]): YamlFile {
  const [child] = files;
  const parts = files.map((file) => ownPart(file));
  const value = parts.reduceRight<JsonObject>((parent, own) => merge(parent, own), {});
  return {
    file: child?.file ?? "",
    value,
    locate: (path: Path): Place =>
      files
        .map((file) => file.locate(path))
        .reduce((best, place) => (place.depth > best.depth ? place : best)),
  };
}

/** Paths in a file are meant from where that file is. */
function ownPart({ file, value }: YamlFile): JsonObject {
  const { extends: _, ...own } = asObject(value) ?? {};
  return typeof own.prompts === "string" ? { ...own, prompts: resolve(dirname(file), own.prompts) } : own;
}

function merge(parent: JsonObject, own: JsonObject): JsonObject {
  const inside = (key: string): JsonObject => {
    const [left, right] = [asObject(parent[key]), asObject(own[key])];
    return left === undefined || right === undefined ? {} : { [key]: { ...left, ...right } };
  };
  return {
    ...parent,
    ...own,
    ...mergeService(parent.service, own.service),
    ...inside("models"),
    ...inside("input"),
    ...inside("stages"),
  };
}

function mergeService(parent: Json | undefined, own: Json | undefined): JsonObject {
  const [left, right] = [asObject(parent), asObject(own)];
  if (left === undefined || right === undefined) return {};
  if (right.name !== undefined && right.name !== left.name) return {};
  const aliases = SERVICES[String(left.name)]?.aliases ?? {};
  // An older name in one file and the name itself in the other are the same option.
  const replaced = Object.keys(right).flatMap((key) => [key, aliases[key] ?? key, ...namesFor(key, aliases)]);
  const kept = Object.fromEntries(Object.entries(left).filter(([key]) => !replaced.includes(key)));
  return { service: { ...kept, ...right } };
}

function namesFor(name: string, aliases: Readonly<Record<string, string>>): string[] {
  return Object.keys(aliases).filter((alias) => aliases[alias] === name);
}
