import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "history.db", preset: "simple_memory", scope: "mia" });
const { memories } = await memory.remember({ judgment: "Mia likes tea.", tags: ["Mia", "tea"] });
const id = memories?.[0] ?? "";
await memory.feedback({ useful: [id] });
for (const { at, operation, before, after } of await memory.history(id, { looks: true }))
  console.log(new Date(at).toISOString(), operation, before, after);
assert.equal((await memory.history(id))[0]?.operation, "entry-insert");
await memory.close();
