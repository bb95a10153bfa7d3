import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "get.db", scope: "mia" });
const { memories } = await memory.remember({ judgment: "王芳住在成都。", tags: ["王芳"] });
const entry = await memory.get(memories?.[0] ?? "");
assert.equal(entry.content, "王芳住在成都。");
assert.deepEqual(entry.tags, ["王芳"]);
await memory.close();
