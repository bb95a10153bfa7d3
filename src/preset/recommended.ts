/**
 * Recommended values, as data: what `defaults: recommended` fills in. They are in presets/recommended.yaml and nowhere in
 * the code (C-30), so a reader can see, and a preset can write out, every number that is at work.
 */
import { z } from "zod";
import { type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { STAGES, type Stage } from "../pipeline/stage.ts";
import { asObject } from "./option-table.ts";

const bySection = z.record(z.string(), jsonObjectSchema);

const schema = z.strictObject({
  preset: jsonObjectSchema,
  vitality: bySection,
  services: bySection,
  /** What a service's option makes of others: each form's values come in place of the service's own where `when` is so. */
  forms: z.record(z.string(), z.array(z.strictObject({ when: jsonObjectSchema, values: jsonObjectSchema }))),
  pre_insert: bySection,
  memory_insert: bySection,
  post_insert: bySection,
  pre_retrieval: bySection,
  memory_retrieval: bySection,
  post_retrieval: bySection,
});

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

export function parseRecommended(value: unknown): Recommended {
  const given = parseInput(schema, value, "file presets/recommended.yaml", "preset_invalid");
  return {
    preset: given.preset,
    service(name, written = {}) {
      const base = given.services[name] ?? {};
      const isSo = (when: JsonObject): boolean =>
        Object.entries(when).every(([key, value]) => (written[key] ?? base[key]) === value);
      const fitting = (given.forms[name] ?? []).filter(({ when }) => isSo(when));
      return Object.assign({}, base, ...fitting.map(({ values }) => values));
    },
    vitality: (policy) => given.vitality[policy] ?? {},
    action(stage, name, subtype) {
      const values = given[stage][name];
      return subtype === undefined ? values : asObject(values?.[subtype]);
    },
    all: () =>
      STAGES.flatMap((stage) =>
        Object.entries(given[stage]).map(([name, values]) => ({ stage, name, values })),
      ),
  };
}
