import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "consolidate.db", preset: "simple_memory", scope: "mia" });
await memory.remember({ judgment: "It rained.", tags: ["rain"], strength: 0, pinned: false });
await memory.remember({ judgment: "Mia is allergic to nuts.", tags: ["nuts"] });
const { deleted, retired, tags } = await memory.consolidate();
console.log(deleted.length + retired.length, "memories gone,", tags, "tags swept"); // or they went a moment before, by themselves
assert.equal((await memory.recall("rain or nuts?")).hits.length, 1);
await memory.close();
