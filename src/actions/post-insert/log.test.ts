import { expect, test } from "vitest";
import { chosen } from "../../testing/pipeline-world.ts";
import { openPostInsertWorld } from "../../testing/post-insert-world.ts";
import { factInsert } from "../memory-insert/fact-insert.ts";
import { transform } from "../pre-insert/transform.ts";
import { logInserted } from "./log.ts";
import { countInserted } from "./stats.ts";

test("[S0-34] log: the fields that are named, at the level that is named, in trace and record", async () => {
  const run = async (level: string, fields: readonly string[]) => {
    const world = await openPostInsertWorld({
      post: [{ action: logInserted, options: { level, fields: [...fields] } }],
    });
    const { inserted, stages } = await world.say([{ speaker: "小明", text: "我喜欢茶。" }]);
    const notes = world.notes();
    expect(stages.at(-1)?.notes).toEqual(notes);
    await world.close();
    return { id: inserted[0]?.id, notes };
  };
  const first = await run("info", ["id", "content"]);
  expect(first.notes).toEqual({ level: "info", inserted: [{ id: first.id, content: "我喜欢茶。" }] });
  const second = await run("warn", [
    "kind",
    "tags",
    "metadata",
    "insert_method",
    "insert_mode",
    "importance",
  ]);
  expect(second.notes).toMatchObject({
    level: "warn",
    inserted: [
      {
        kind: "memory",
        tags: [],
        metadata: { speaker: "小明" },
        insert_method: "default",
        insert_mode: "passive",
      },
    ],
  });
});

test("[S0-34] log and stats tell the kind that was stored, whoever named it", async () => {
  const world = await openPostInsertWorld({
    insert: [chosen(factInsert, {})],
    pre: [
      chosen(transform, {
        transform_type: "fact_extract",
        fact_prompt: "extract_facts",
        fact_format: "statement",
      }),
    ],
    post: [
      chosen(logInserted, { level: "info", fields: ["kind"] }),
      chosen(countInserted, { measures: ["kinds"] }),
    ],
  });
  const { stages } = await world.say([{ speaker: "Ada", text: "I moved to Rome." }]);
  await world.close();
  expect(stages.slice(-2).map(({ notes }) => notes)).toEqual([
    { level: "info", inserted: [{ kind: "fact" }] },
    { kinds: { fact: 1 } },
  ]);
});

test("[S0-34] stats: the measures that are named", async () => {
  const count = async (...measures: string[]) => {
    const world = await openPostInsertWorld({ post: [{ action: countInserted, options: { measures } }] });
    await world.say(["Ada likes tea.", "小明喜欢茶。"]);
    const notes = world.notes();
    await world.close();
    return notes;
  };
  expect(await count("entries", "turns", "vectors", "kinds", "insert_methods")).toEqual({
    entries: 2,
    turns: 2,
    vectors: 2,
    kinds: { memory: 2 },
    insert_methods: { default: 2 },
  });
  const { tokens, ...rest } = await count("tokens");
  expect(tokens).toBeGreaterThan(5);
  expect(rest).toEqual({});
});
