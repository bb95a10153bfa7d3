/** What did the second design change? Stage by stage, down to the single option. */
import type { Json, JsonObject } from "../../base/json.ts";
import { STAGES } from "../../pipeline/stage.ts";
import { type Difference, presetDiff } from "../../preset/diff.ts";
import { loadPreset } from "../../preset/load.ts";
import { asObject } from "../../preset/option-table.ts";
import { type Preset, presetData } from "../../preset/preset.ts";
import type { Given } from "../command.ts";
import { actionKnown, describePath } from "../option-text.ts";
import type { Terminal } from "../terminal.ts";

interface Described extends Difference {
  readonly description: string;
}

export async function diffPresets(given: Given, terminal: Terminal): Promise<number> {
  const [a, b] = [await loadPreset(given.argument("A")), await loadPreset(given.argument("B"))];
  const differences = differencesOf(a, b);
  terminal.give({ a: a.name, b: b.name, differences: differences.map(asData) });
  for (const one of [a, b]) sayDesign(one, terminal);
  for (const [part, members] of Map.groupBy(differences, ({ part: name }) => name)) {
    terminal.say(`\n${terminal.paint("bold", part)}`);
    for (const one of members) sayDifference(one, terminal);
  }
  if (differences.length === 0)
    terminal.say(terminal.text({ en: "They do the same.", zh: "两者做的事完全相同。" }));
  return 0;
}

/** What it is and keeps, and what it costs. */
function sayDesign({ name, summary, about }: Preset, { say, paint, text }: Terminal): void {
  say(`${paint("bold", name)}: ${summary}`);
  if (about === null) return;
  const { stored, embedded, calls } = about;
  say(paint("dim", `  ${text({ en: "stored", zh: "存储" })}: ${stored}`));
  say(paint("dim", `  ${text({ en: "embedded", zh: "嵌入" })}: ${embedded}`));
  say(
    paint(
      "dim",
      text({
        en: `  model calls: write ${calls.write} · read ${calls.read}`,
        zh: `  模型调用：写入 ${calls.write} · 读取 ${calls.read}`,
      }),
    ),
  );
}

/** With what each option does. Where a design keeps its memories is a name, and no difference. */
function differencesOf(a: Preset, b: Preset): Described[] {
  const [left, right] = [presetData(a), presetData(b)];
  return presetDiff(a, b)
    .filter(({ part, path }) => part !== "service" || path !== "collection_name")
    .map((difference) => {
      const { part, path } = difference;
      const values = difference.b === undefined ? left : right;
      return { ...difference, description: describePath(part, path, partOf(values, part, path)) };
    });
}

/** A stage's action stands in a list; its options are found by its name. */
function partOf(data: JsonObject, part: string, path: string): Json | undefined {
  if (!STAGES.some((stage) => stage === part)) return data[part];
  const [name = ""] = path.split(".");
  const [action, again = "1"] = name.split("#");
  const actions = asObject(data.stages)?.[part];
  const same = (Array.isArray(actions) ? actions : []).filter(
    (one: Json) => asObject(one)?.action === action,
  );
  return { [name]: same[Number(again) - 1] ?? null };
}

function sayDifference({ part, path, a, b, description }: Described, { say, paint, text }: Terminal): void {
  const isAction = STAGES.some((stage) => stage === part) && path !== "" && !path.includes(".");
  const why = description === "" ? "" : paint("dim", `\n      # ${description}`);
  if (path === "order") {
    say(`  ${text({ en: "order", zh: "顺序" })}: ${shown(a)} → ${shown(b)}`);
  } else if (isAction && a === undefined) {
    say(`  ${paint("green", `+ ${path}`)}${paint("dim", optionsText(b))}${why}`);
  } else if (isAction && b === undefined) {
    say(`  ${paint("red", `- ${path}`)}${paint("dim", optionsText(a))}${why}`);
  } else {
    const [left, right] = [a === undefined ? "–" : shown(a), b === undefined ? "–" : shown(b)];
    say(`  ${path === "" ? "" : `${path}: `}${paint("red", left)} → ${paint("green", right)}${why}`);
  }
}

function optionsText(options: Json | undefined): string {
  const text = shown(options);
  return text === "{}" ? "" : ` ${text}`;
}

function shown(value: Json | undefined): string {
  if (typeof value === "string") return value === "" ? '""' : value;
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  const inside = asObject(value);
  if (inside === undefined) return String(value);
  const parts = Object.entries(inside).map(([key, part]) => `${key}: ${shown(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** JSON has no undefined: what is not there is said by a missing key. */
function asData({ part, path, a, b, description }: Described): JsonObject {
  const stage = STAGES.find((one) => one === part);
  const about =
    stage !== undefined && description === "" ? actionKnown(stage, path).description : description;
  return {
    part,
    path,
    ...(a === undefined ? {} : { a }),
    ...(b === undefined ? {} : { b }),
    description: about,
  };
}
