import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "context.db", scope: "mia" });
await memory.remember({ judgment: "Mia is allergic to nuts.", tags: ["Mia", "allergy"] });
await memory.remember({ speaker: "Mia", text: "On Friday I bake a cake for Ben." });
const first = await memory.context("What does Mia bake?", { session: "monday", budget: 300 });
const second = await memory.context("And what for Ben?", { session: "monday" });
assert.equal(first.stable, second.stable); // a prompt cache keeps it
assert.match(first.stable, /allergic to nuts/);
assert.match(first.volatile, /cake/);
await memory.close();
