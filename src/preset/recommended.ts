/**
 * Recommended values, as data: what `defaults: recommended` fills in. They are in presets/recommended.yaml and nowhere in
 * the code (C-30), so a reader can see, and a preset can write out, every number that is at work.
 */
import { z } from "zod";
import { type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { STAGES, type Stage } from "../pipeline/stage.ts";
import { asObject } from "./option-table.ts";
import type { YamlBlocks } from "./yaml-blocks.ts";

const FILE = "file presets/recommended.yaml";

const SECTIONS = ["preset", "vitality", "services", "forms", ...STAGES] as const;
type Section = (typeof SECTIONS)[number];

/** What a service's option makes of others: each form's values come in place of the service's own where `when` is so. */
const formsSchema = z.array(z.strictObject({ when: jsonObjectSchema, values: jsonObjectSchema }));

export interface Recommended {
  /** Top-level keys. */
  readonly preset: JsonObject;
  /** Of a service, as far as they depend on what is written. */
  service(name: string, written?: JsonObject): JsonObject;
  /** Of a vitality policy. */
  vitality(policy: string): JsonObject;
  /** Of an action, or of one of its sub-types; undefined where nothing is recommended. */
  action(stage: Stage, name: string, subtype?: string): JsonObject | undefined;
  /** Every action that has recommended values, with its sub-type where there is one. */
  all(): readonly { readonly stage: Stage; readonly name: string; readonly values: JsonObject }[];
}

export function readRecommended(blocks: YamlBlocks): Recommended {
  parseInput(z.array(z.enum(SECTIONS)).length(SECTIONS.length), blocks.sections, FILE, "preset_invalid");
  const valuesOf = (section: Section, name: string): JsonObject | undefined => {
    const value = blocks.value(section, name);
    return value === undefined ? undefined : parseInput(jsonObjectSchema, value, FILE, "preset_invalid");
  };
  const formsOf = (service: string) =>
    parseInput(formsSchema, blocks.value("forms", service) ?? [], FILE, "preset_invalid");
  return {
    preset: Object.fromEntries(
      blocks.names("preset").map((name) => [name, blocks.value("preset", name) ?? null]),
    ),
    service(name, written = {}) {
      const base = valuesOf("services", name) ?? {};
      const isSo = (when: JsonObject): boolean =>
        Object.entries(when).every(([key, value]) => (written[key] ?? base[key]) === value);
      const fitting = formsOf(name).filter(({ when }) => isSo(when));
      return Object.assign({}, base, ...fitting.map(({ values }) => values));
    },
    vitality: (policy) => valuesOf("vitality", policy) ?? {},
    action(stage, name, subtype) {
      const values = valuesOf(stage, name);
      return subtype === undefined ? values : asObject(values?.[subtype]);
    },
    all: () =>
      STAGES.flatMap((stage) =>
        blocks.names(stage).map((name) => ({ stage, name, values: valuesOf(stage, name) ?? {} })),
      ),
  };
}
