import assert from "node:assert/strict";
import { openMemoryRuntime } from "neuromem/runtime";

const log: string[] = [];
const runtime = await openMemoryRuntime({
  enable_simple_memory: true,
  path: "simple-memory.db",
  log: ({ message }) => log.push(message),
});
const id = await runtime.remember("mia", {
  judgment: "小明喜欢吃火锅。",
  reasoning: "他自己说的。",
  tags: ["小明", "火锅"],
});
const [found] = await runtime.recall("mia", "小明说晚上去吃火锅");
assert.equal(found?.id, id);
assert.equal(found?.score_parts.hits, 2);
const [stronger] = await runtime.feedback("mia", { useful_memory_ids: [id] });
assert.equal(stronger?.strength, 13);
await runtime.consolidateMemories("mia");
assert.match(log[0] ?? "", /SimpleMemoryRuntime/);
await runtime.close();
