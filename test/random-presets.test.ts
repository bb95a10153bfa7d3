/**
 * Two hundred presets that nobody thought of: any service, any actions, options drawn from their schemas. Each runs a short
 * English and Chinese dialogue end to end with no key, or is refused when it is loaded, with a reason.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { ACTIONS } from "../src/actions/index.ts";
import { MemoryError } from "../src/base/errors.ts";
import type { Json, JsonObject } from "../src/base/json.ts";
import { parseScope } from "../src/base/scope.ts";
import type { ActionDefinition } from "../src/pipeline/action.ts";
import { appendTurns } from "../src/pipeline/journal.ts";
import { STAGES } from "../src/pipeline/stage.ts";
import { loadRecommended, parsePreset } from "../src/preset/load.ts";
import { openPreset } from "../src/preset/open.ts";
import { asObject, branchesOf, jsonSchemaOf } from "../src/preset/option-table.ts";
import { SERVICES } from "../src/services/index.ts";
import { openInMemory } from "../src/storage/memory.ts";
import { hashEmbedder } from "../src/testing/hash-embedder.ts";

const RUNS = 200;
const recommended = await loadRecommended();
const SCOPE = parseScope("alice");
const TALK = [
  { speaker: "Ada", session: "s1", text: "I moved to Berlin in 2019. My dog Rex loves the park." },
  { speaker: "Bob", session: "s1", text: "Nice! I play the violin every Sunday with Eva." },
  { speaker: "小明", session: "s2", text: "我昨天在上海买了一把小提琴，很高兴。" },
];

test(`${RUNS} random presets run in both languages with no key, or are refused with a reason`, async () => {
  const seen = { ran: 0, refused: 0, stored: 0, found: 0 };
  await fc.assert(
    fc.asyncProperty(presets(), async (preset) => {
      const loaded = await loadOrRefuse(preset);
      if (typeof loaded === "string") {
        seen.refused++;
        expect(loaded).toMatch(/random\.yaml:\d+: .{20,}/);
        return;
      }
      const storage = await openInMemory();
      const open = await openPreset(loaded, { storage, embedder: hashEmbedder() });
      for (const turn of TALK) {
        seen.stored += (await open.insert(SCOPE, await appendTurns(storage, SCOPE, [turn]))).inserted.length;
      }
      for (const text of ["Where does Ada live?", "小明在哪里买了小提琴？"]) {
        seen.found += (await open.retrieve(SCOPE, { text })).hits.length > 0 ? 1 : 0;
      }
      // Whatever a design does to it, what was said is in the journal.
      expect(await storage.turns(SCOPE, { limit: 9 })).toHaveLength(TALK.length);
      await open.close();
      await storage.close();
      seen.ran++;
    }),
    { numRuns: RUNS, seed: 4 },
  );
  expect(seen.ran).toBeGreaterThan(RUNS / 5);
  expect(seen.refused).toBeGreaterThan(RUNS / 50);
  expect(seen.stored).toBeGreaterThan(2 * seen.ran);
  expect(seen.found).toBeGreaterThan(seen.ran);
}, 300_000);

async function loadOrRefuse(preset: JsonObject) {
  try {
    return await parsePreset(stringify(preset), "random.yaml");
  } catch (error) {
    if (MemoryError.is(error) && error.code === "preset_invalid") return error.message;
    throw error;
  }
}

function presets(): fc.Arbitrary<JsonObject> {
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, stageOf(ACTIONS[stage], stage)]));
  return fc.record({
    name: fc.constant("random"),
    summary: fc.constant("Drawn by chance."),
    defaults: fc.constant("recommended"),
    input: fc.record({ unit: fc.constantFrom("turn", "packet"), with_speaker: fc.boolean() }),
    service: fc.oneof(
      ...Object.values(SERVICES).map(({ name, options }) =>
        varied(jsonSchemaOf(options), recommended.service(name)).map((values) => ({ name, ...values })),
      ),
    ),
    stages: fc.record(stages),
  });
}

function stageOf(actions: readonly ActionDefinition[], stage: string): fc.Arbitrary<Json> {
  // Insert methods stand ready by themselves; a retrieval is exactly one.
  if (stage === "memory_insert") return fc.constant([]);
  const one = fc.oneof(...actions.flatMap(variants));
  if (stage === "memory_retrieval") return one;
  const two: fc.Arbitrary<Json> = fc.array(one, { minLength: 2, maxLength: 2 });
  const written = fc.oneof(
    { weight: 2, arbitrary: fc.constant<Json>("none") },
    { weight: 3, arbitrary: one },
    { weight: 1, arbitrary: two },
  );
  if (stage !== "pre_retrieval") return written;
  // Mostly with a vector of the question, without which many designs are refused.
  const embedded = written.map(
    (chosen): Json => [...(Array.isArray(chosen) ? chosen : [chosen]), "embedding"],
  );
  return fc.oneof({ weight: 4, arbitrary: embedded }, { weight: 1, arbitrary: written });
}

function variants({ stage, name, subtype, options }: ActionDefinition): fc.Arbitrary<JsonObject>[] {
  return branchesOf(jsonSchemaOf(options)).map(({ schema, properties }) => {
    const chosen = subtype === undefined ? undefined : asObject(properties[subtype])?.const;
    const values = recommended.action(stage, name, typeof chosen === "string" ? chosen : undefined) ?? {};
    const fixed: JsonObject = subtype === undefined ? {} : { [subtype]: chosen ?? null };
    return varied(schema, values).map((some) => ({ action: name, ...fixed, ...some }));
  });
}

/** Some of the recommended values changed to others that the schema allows. */
function varied(schema: JsonObject, values: JsonObject): fc.Arbitrary<JsonObject> {
  const properties = asObject(schema.properties) ?? {};
  const keys = Object.keys(properties).filter((key) => Object.hasOwn(values, key));
  const options = Object.fromEntries(
    keys.map((key) => {
      const known = fc.constant<Json>(values[key] ?? null);
      const other = otherValue(asObject(properties[key]) ?? {}, values[key] ?? null);
      return [key, fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: other })];
    }),
  );
  return fc.record(options);
}

function otherValue(schema: JsonObject, known: Json): fc.Arbitrary<Json> {
  const parts = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(parts) && parts.some((part: Json) => asObject(part)?.type === "null")) {
    return fc.constantFrom<Json>(null, known);
  }
  if (Array.isArray(schema.enum)) return fc.constantFrom<Json>(...schema.enum);
  if (schema.type === "boolean") return fc.boolean();
  const low = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0);
  const high = Math.min(Number(schema.maximum ?? schema.exclusiveMaximum ?? 50), 50);
  if (schema.type === "integer" && high > low) return fc.integer({ min: Math.max(low, -50), max: high });
  if (schema.type === "number" && high > low) {
    return fc.double({ min: low, max: high, noNaN: true, minExcluded: true, maxExcluded: true });
  }
  return fc.constant(known);
}
