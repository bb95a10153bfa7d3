import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "recall.db", scope: "mia" });
await memory.remember([
  { speaker: "Mia", text: "I live in Rome.", happenedAt: Date.UTC(2023, 0, 5) },
  { speaker: "Mia", text: "I moved to Milan.", happenedAt: Date.UTC(2024, 2, 1) },
]);
const { hits, stages, turns } = await memory.recall("Where does Mia live?", {
  limit: 3,
  budget: 200,
  explain: true,
});
console.log(hits[0]?.text, hits[0]?.score, hits[0]?.scoreParts);
console.log(
  "because of",
  turns?.[0]?.map(({ text }) => text),
);
for (const { stage, action, ms } of stages) console.log(stage, action, ms);

// As of a moment in the world: what came later is not there.
const then = await memory.recall("Where does Mia live?", { at: Date.UTC(2023, 11, 31) });
assert.deepEqual(
  then.hits.map(({ content }) => content),
  ["Mia: I live in Rome."],
);
await memory.close();
