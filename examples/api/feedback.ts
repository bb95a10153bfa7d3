import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "feedback.db", preset: "simple_memory", scope: "mia" });
const tea = { judgment: "Mia likes green tea.", tags: ["Mia", "tea"] };
const again = { judgment: "Mia drinks green tea every day.", tags: ["Mia", "green tea"] };
const { memories } = await memory.remember([tea, again]);
const [one = "", two = ""] = memories ?? [];
const report = await memory.feedback({
  useful: [one],
  new: [{ judgment: "Mia dislikes coffee.", tags: ["Mia", "coffee"] }],
  merge: [[one, two]],
});
assert.deepEqual(report.merged[0]?.from, [one, two]);
assert.equal((await memory.recall("Mia and tea")).hits.length, 2);
await memory.close();
