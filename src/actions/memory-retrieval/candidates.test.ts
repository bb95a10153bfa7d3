import { afterEach, expect, test } from "vitest";
import { openPipelineWorld } from "../../testing/pipeline-world.ts";
import { defaultInsert } from "../memory-insert/default.ts";
import { filter } from "../post-retrieval/filter.ts";
import { noPreInsert } from "../pre-insert/none.ts";
import { candidates } from "./candidates.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test("later actions choose among the pool, however few hits the service or the question would bring", async () => {
  const open = async (pool: number) => {
    const world = await openPipelineWorld({
      service: { name: "neuromem_vdb", options: { collection_name: "notes", top_k: 1, vitality: null } },
      stages: {
        pre_insert: [{ action: noPreInsert, options: {} }],
        memory_insert: [{ action: defaultInsert, options: {} }],
        memory_retrieval: [{ action: candidates, options: { pool, fusion: { strategy: "union" } } }],
        post_retrieval: [{ action: filter, options: { filter_type: "top_k", k: 5 } }],
      },
    });
    closing.push(world.close);
    await world.say(["Mia drinks tea.", "Ben drinks tea.", "小美喝茶 tea", "Ann likes tea."]);
    return world;
  };
  const wide = await open(100);
  const all = await wide.ask({ text: "tea", topK: 2 });
  expect(all.lists[0]?.hits).toHaveLength(4);
  expect(all.hits).toHaveLength(2);
  expect((await wide.ask("tea")).hits).toHaveLength(4);
  expect((await (await open(3)).ask("tea")).hits).toHaveLength(3);
});
