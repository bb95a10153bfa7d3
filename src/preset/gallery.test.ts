/** docs/presets.md is written from the preset files. `vitest run src/preset/gallery.test.ts -u` writes it anew. */
import { expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { STAGES, type Stage } from "../pipeline/stage.ts";
import { isOurOwn } from "./default-preset.ts";
import { listPresets, loadPreset, loadRecommended } from "./load.ts";
import type { Preset, PresetAction } from "./preset.ts";
import type { Recommended } from "./recommended.ts";

const INTRODUCTION = `# Presets

<!-- Written from presets/*.yaml by src/preset/gallery.test.ts; edit a preset, then run that test with -u. -->

A preset is a memory design as data: one service and the actions of six stages. Each one here runs with no model (every
task is then answered by rules) and with one, over the same journal, so designs can be swapped without losing anything:

\`\`\`sh
npx neuromem preset list                                  # all of them, with their cost
npx neuromem preset show hipporag2                        # every option that is at work, and what it does
npx neuromem preset diff hipporag hipporag2               # what the second paper changed
npx neuromem import talk.txt --preset mem0 --db me.db     # a conversation through a design
npx neuromem recall "Where does Mia live?" --preset mem0 --db me.db --explain
npx neuromem rebuild --preset a_mem --db me.db            # another design over the same journal
npx neuromem preset new my.yaml --from mem0               # a design of your own
\`\`\`

Diagrams show the ways of a write and of a question through the six stages (those that do nothing are left out), each action
with the options in which the preset differs from what is recommended for it; [pipeline.md](pipeline.md) says what they do.`;

const BASELINES = ["full_context", "bm25", "dense", "hybrid"];
/** Longer values would make a diagram unreadable; `preset show` has them. */
const LONGEST_VALUE = 40;
const MOST_OPTIONS = 6;

test("the gallery shows every preset of the package", async () => {
  const recommended = await loadRecommended();
  const names = await listPresets();
  const isPublished = (name: string) => !name.includes("/") && !BASELINES.includes(name) && !isOurOwn(name);
  const groups = [
    { title: "Our own", members: names.filter(isOurOwn) },
    { title: "Published designs", members: names.filter(isPublished) },
    { title: "Baselines", members: BASELINES.filter((name) => names.includes(name)) },
    { title: "Rows of the five-dimension table", members: names.filter((name) => name.startsWith("table/")) },
    { title: "Variants", members: names.filter((name) => name.startsWith("variants/")) },
  ].filter(({ members }) => members.length > 0);
  expect(groups.flatMap(({ members }) => members).sort()).toEqual(names);
  const sections = await Promise.all(
    groups.map(async ({ title, members }) => [
      `## ${title}`,
      ...(await Promise.all(
        members.map(async (name) => presetText(name, await loadPreset(name), recommended)),
      )),
    ]),
  );
  const page = [INTRODUCTION, ...sections.flat()].join("\n\n");
  await expect(`${page}\n`).toMatchFileSnapshot("../../docs/presets.md");
});

function presetText(name: string, preset: Preset, recommended: Recommended): string {
  const { summary, about } = preset;
  const head =
    about === null
      ? []
      : [
          [
            `- Cites: ${about.cites}`,
            `- Stored: ${about.stored}`,
            `- Embedded: ${about.embedded}`,
            `- Model calls, with a model: write ${about.calls.write} · read ${about.calls.read}`,
            ...about.deviations.map((text) => `- Deviation: ${text}`),
          ].join("\n"),
        ];
  return [
    `### ${name}`,
    summary,
    ...head,
    diagram(preset, recommended),
    `\`neuromem import FILE --preset ${name} --db PATH\``,
  ].join("\n\n");
}

/** A write goes into the store, what is done after it comes out of the store and goes back; a question goes through it. */
function diagram(preset: Preset, recommended: Recommended): string {
  const box = (stage: Stage): string | undefined => {
    const actions = preset.stages[stage].filter(({ path }) => path[0] === "stages");
    const isIdle = actions.every(({ action }) => action === "none");
    if (isIdle && stage !== "memory_retrieval") return undefined;
    const texts = actions.map((one) => actionText(one, stage, recommended));
    return `  ${stage}["${[`<b>${stage}</b>`, ...texts].join("<br>")}"]`;
  };
  const boxes = STAGES.flatMap((stage) => box(stage) ?? []);
  const has = (stage: Stage): boolean => box(stage) !== undefined;
  const way = (...stops: string[]): string =>
    `  ${stops.filter((stop) => !STAGES.some((stage) => stage === stop && !has(stage))).join(" --> ")}`;
  const lines = [
    "flowchart LR",
    `  turns(["${inputText(preset)}"])`,
    `  store[("${serviceText(preset, recommended)}")]`,
    '  question(["question"])',
    '  answer(["hits"])',
    ...boxes,
    way("turns", "pre_insert", "memory_insert", "store"),
    ...(has("post_insert") ? ["  store <--> post_insert"] : []),
    way("question", "pre_retrieval", "memory_retrieval", "post_retrieval", "answer"),
    "  store -.-> memory_retrieval",
  ];
  return ["```mermaid", ...lines, "```"].join("\n");
}

function inputText({ input: { unit, window } }: Preset): string {
  const size = window.by === "turns" ? window.size : 0;
  const cut =
    window.by === "session"
      ? "a session"
      : size === 1
        ? "a turn"
        : `${size} turns${window.overlap > 0 ? `, ${window.overlap} again` : ""}`;
  return `${cut}${unit === "packet" && cut !== "a turn" ? ", together" : ""}`;
}

function serviceText({ service: { name, options } }: Preset, recommended: Recommended): string {
  const own = decisive(options, recommended.service(name)).filter(([key]) => key !== "collection_name");
  return [`<b>${name}</b>`, ...shown(own)].join("<br>");
}

function actionText({ action, options }: PresetAction, stage: Stage, recommended: Recommended): string {
  // An action with sub-types has recommended values for each of them.
  const plain = recommended.action(stage, action) ?? {};
  const subtype = Object.values(options).find(
    (value) => typeof value === "string" && recommended.action(stage, action, value) !== undefined,
  );
  const values = typeof subtype === "string" ? (recommended.action(stage, action, subtype) ?? {}) : plain;
  return [action, ...shown(decisive(options, values))].join("<br>");
}

function decisive(
  options: Readonly<Record<string, Json>>,
  values: Readonly<Record<string, Json>>,
): [string, Json][] {
  return Object.entries(options).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(values[key]),
  );
}

function shown(options: readonly [string, Json][]): string[] {
  const texts = options.map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${key}: ${text.length > LONGEST_VALUE ? "…" : text}`;
  });
  const more = texts.length > MOST_OPTIONS ? ["…"] : [];
  return [...texts.slice(0, MOST_OPTIONS), ...more].map((text) => `· ${escaped(text)}`);
}

/** What a label of a diagram may not hold. */
function escaped(text: string): string {
  return text.replaceAll('"', "'").replaceAll("<", "‹").replaceAll(">", "›").replaceAll("`", "'");
}
