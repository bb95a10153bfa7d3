import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "undo.db", preset: "simple_memory", scope: "mia" });
const { memories } = await memory.remember([
  { judgment: "Mia likes green tea.", tags: ["Mia", "tea"] },
  { judgment: "Mia drinks tea every day.", tags: ["Mia", "tea"] },
]);
const { merged } = await memory.feedback({ merge: [memories ?? []] });
const [made] = await memory.history(merged[0]?.id ?? "");
await memory.undo(made?.seq ?? 0);
assert.equal((await memory.recall("Mia, tea")).hits.length, 2);
await memory.close();
