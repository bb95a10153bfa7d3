import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "comprehensive.db", scope: "mia" });
await memory.remember(["Mia adopted a cat from the shelter.", "Ben repaired his bicycle."]);
const hits = await memory.comprehensiveRecall("Mia adopted a cat.", { limit: 5 });
assert.equal(hits[0]?.content, "Mia adopted a cat from the shelter.");
await memory.close();
