/**
 * The laws of an action (`src/pipeline/action.ts`), checked in a whole pipeline over a real service, in English and
 * Chinese, without a model. What an action is for, its own tests show; what every action owes, this suite does.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { NewTurn } from "../base/turn.ts";
import { type ActionDefinition, defineAction } from "../pipeline/action.ts";
import type { Stage } from "../pipeline/stage.ts";
import { optionsFor } from "../preset/option-table.ts";
import { openPipelineWorld, type PipelineSetup } from "./pipeline-world.ts";

export interface ActionSubject<S extends Stage = Stage> {
  readonly action: ActionDefinition<S>;
  /** All of them, sub-type included, as a preset would write them. */
  readonly options: JsonObject;
  /** A service that fits the action, and what the other stages do. */
  readonly setup: Omit<PipelineSetup, "stages"> & { readonly stages: PipelineSetup["stages"] };
  /** Options that only matter where the dialogue of this suite does not go; each has a test of its own. */
  readonly elsewhere?: readonly string[];
}

const LONG = Array.from(
  { length: 24 },
  (_, n) =>
    `On day ${n + 1} we walked from village ${n} to village ${n + 1}, and it rained a lot in the hills.`,
);
const TALK: readonly NewTurn[] = [
  { speaker: "Ada", session: "one", text: "My dog Rex is ill. Yesterday I took him to the vet in Berlin." },
  { speaker: "Bob", session: "one", text: "I am so sorry! I love dogs. Ada's city is Berlin, right?" },
  {
    speaker: "Ada",
    session: "one",
    text: "Yes, I moved to Berlin in 2019. Ada's city is Hamburg now, though.",
  },
  { speaker: "小明", session: "二", text: "我昨天在上海买了一把小提琴，非常高兴。" },
  { speaker: "小红", session: "二", text: "小明喜欢音乐。我住在北京，明天去上海。" },
  { speaker: "小明", session: "二", text: "小明喜欢音乐。我住在北京，明天去上海。" },
  { speaker: "Bob", session: "three", text: LONG.join(" ") },
];
const QUESTIONS = [
  "What were the exact words that Ada said in Berlin yesterday, word for word?",
  "Where does Ada live now, and what is her dog called?",
  "小明昨天在哪里买了小提琴？",
  "Hi!",
];

export function testAction<S extends Stage>({
  action,
  options,
  setup,
  elsewhere = [],
}: ActionSubject<S>): void {
  const name = [action.stage, action.name, action.subtype && options[action.subtype]]
    .filter(Boolean)
    .join(" ");
  describe(`action: ${name}`, () => {
    const keys = optionsFor(action.options, action.subtype, options);

    test("[S0-62][S0-63][C-30] every option is required, described and known; no other is taken", () => {
      expect(action.options.safeParse(options).error?.issues).toBeUndefined();
      for (const { key, description } of keys) {
        const { [key]: _, ...rest } = options;
        expect(action.options.safeParse(rest).success, `without ${key}`).toBe(false);
        expect(description, `description of ${key}`).toMatch(/\S+ \S+/);
      }
      expect(action.options.safeParse({ ...options, no_such_option: 1 }).success).toBe(false);
    });

    test("it changes nothing it is given, reads every option, and works without a model in both languages", async () => {
      const read = new Set<string>(elsewhere);
      const watched = { action: watch(action, read), options };
      const others = setup.stages[action.stage] ?? [];
      const stages = {
        ...marking(action),
        ...setup.stages,
        [action.stage]: [watched, ...others.filter((one) => one.action.name !== action.name)],
      };
      const world = await openPipelineWorld({ ...setup, stages });
      try {
        await world.say(TALK.slice(0, 3));
        await world.say(TALK.slice(3));
        for (const text of QUESTIONS)
          await world.ask({ text, talk: [{ speaker: "Ada", text: "Hello", captions: [] }] });
      } finally {
        await world.close();
      }
      const unread = keys
        .filter(({ key, fixed }) => fixed === undefined && !read.has(key))
        .map(({ key }) => key);
      expect(unread, "options nobody looked at").toEqual([]);
    });
  });
}

/** Drafts take the way of an insert method only if they name it, and bring what it stores. */
function marking<S extends Stage>({ stage, name }: ActionDefinition<S>): PipelineSetup["stages"] {
  if (stage !== "memory_insert") return {};
  const insertMethod = name;
  const insertParams = {
    triples: [{ subject: "Ada", relation: "lives in", object: "Berlin" }],
    chunkIndex: 0,
    totalChunks: 1,
    originalText: "Ada: Yes, I moved to Berlin.",
    summary: "Ada moved.",
    segment: "moving",
    emotion: { category: "joy", intensity: 0.5 },
  };
  const mark = defineAction({
    stage: "pre_insert",
    name: "mark",
    summary: "Names the insert method under test.",
    options: z.strictObject({}),
    run: ({ drafts }) => drafts.map((draft) => ({ ...draft, insertMethod, insertParams, importance: 0.9 })),
  });
  return { pre_insert: [{ action: mark, options: {} }] };
}

/** The same action, given frozen data, with a note of every option it or its claims look at. */
function watch<S extends Stage>(action: ActionDefinition<S>, read: Set<string>): ActionDefinition<S> {
  const noting = (options: unknown): unknown =>
    typeof options !== "object" || options === null
      ? options
      : new Proxy(options, {
          get(target, key) {
            read.add(String(key));
            return Reflect.get(target, key);
          },
        });
  return {
    ...action,
    claims: (options) => action.claims?.(noting(options)) ?? {},
    run: (given, context, options) => action.run(freeze(given), context, noting(options)),
  };
}

function freeze<T>(value: T): T {
  // Typed arrays cannot be frozen; nobody writes into a vector.
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}
