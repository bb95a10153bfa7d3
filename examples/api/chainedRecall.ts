import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "chained.db", scope: "mia" });
await memory.remember([
  { judgment: "小明喜欢吃火锅。", tags: ["小明", "火锅"] },
  { judgment: "Ben plays the violin.", tags: ["Ben", "violin"], type: "skill" },
]);
const hits = await memory.chainedRecall("What do 小明 and Ben like?", {
  entities: ["小明", "Ben"],
  perEntity: 1,
});
assert.equal(hits.length, 2);
await memory.close();
