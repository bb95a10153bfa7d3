import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "remember.db", scope: "mia" });
// A sentence, a turn with its own clock, a conversation, or a memory that was judged already.
await memory.remember("I moved to Rome.");
await memory.remember([
  { speaker: "Mia", text: "Yesterday I adopted a cat.", happenedAt: Date.UTC(2023, 4, 8) },
  { speaker: "王芳", text: "周末我去吃了火锅。", session: "lunch" },
]);
const { memories } = await memory.remember({
  judgment: "Mia is allergic to nuts.",
  reasoning: "She said so when we ordered.",
  type: "knowledge",
  tags: ["Mia", "nuts", "allergy"],
});
assert.equal((await memory.get(memories?.[0] ?? "")).rationale, "She said so when we ordered.");
await memory.close();
