/**
 * A preset as YAML that leaves nothing to guess: every option with its value, and above it what it does. It can be loaded
 * again, and then does the same.
 */
import { Document, isMap, isPair, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import { parseInput } from "../base/parse-input.ts";
import { STAGES } from "../pipeline/stage.ts";
import { asObject } from "../preset/option-table.ts";
import { type Preset, presetData } from "../preset/preset.ts";
import { actionKnown, type Known, serviceKnown, step, topKnown } from "./option-text.ts";

const LINE = 110;

export function presetYaml(preset: Preset): string {
  const data = presetData(withoutIdle(preset));
  const document = new Document(data);
  const top = document.contents;
  if (isMap(top)) {
    for (const pair of pairsOf(top)) {
      const key = keyOf(pair);
      if (key === "stages") describeStages(pair, data);
      else if (key === "service") describeService(pair, asObject(data.service) ?? {});
      else describe(pair, topKnown(key), data[key]);
    }
  }
  return document.toString({ lineWidth: LINE });
}

/** Insert methods that stand ready and that no draft will want are not shown. */
function withoutIdle(preset: Preset): Preset {
  const { pre_insert, memory_insert } = preset.stages;
  const naming = pre_insert.findLast(({ claims }) => claims.insertMethods !== undefined);
  const wanted = naming?.claims.insertMethods ?? ["default"];
  const atWork = memory_insert.filter(({ action, path }) => path[0] === "stages" || wanted.includes(action));
  return { ...preset, stages: { ...preset.stages, memory_insert: atWork } };
}

function describeService(pair: Pair, values: JsonObject): void {
  const known = serviceKnown(String(values.name));
  comment(pair, known.description);
  describeInside(pair, known, values);
}

function describeStages({ value: stages }: Pair, data: JsonObject): void {
  if (!isMap(stages)) return;
  for (const pair of pairsOf(stages)) {
    const stage = STAGES.find((one) => one === keyOf(pair));
    const actions = stage === undefined ? undefined : asObject(data.stages)?.[stage];
    if (stage === undefined || !isSeq(pair.value) || !Array.isArray(actions)) continue;
    pair.value.items.forEach((item, place) => {
      const values = parseInput(jsonObjectSchema, actions[place], "action");
      if (!isMap(item)) return;
      const known = actionKnown(stage, String(values.action));
      item.commentBefore = ` ${known.description}`;
      for (const inner of pairsOf(item)) {
        const key = keyOf(inner);
        if (key !== "action") describe(inner, step(known, key, values), values[key]);
      }
    });
  }
}

/** A sentence above the key, and above the keys inside. */
function describe(pair: Pair, known: Known, value: Json | undefined): void {
  comment(pair, known.description);
  describeInside(pair, known, asObject(value) ?? {});
}

function describeInside({ value: node }: Pair, known: Known, values: JsonObject): void {
  if (!isMap(node)) return;
  for (const pair of pairsOf(node)) {
    const key = keyOf(pair);
    describe(pair, step(known, key, values), values[key]);
  }
}

function comment({ key }: Pair, text: string): void {
  if (isScalar(key) && text !== "") key.commentBefore = ` ${text}`;
}

function pairsOf(map: YAMLMap): Pair[] {
  return map.items.filter((item) => isPair(item));
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}
