import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "rebuild.db", scope: "mia" });
await memory.remember({ speaker: "Mia", text: "I live in Rome." });
await memory.rebuild({ preset: "mem0", onWindow: ({ turns }) => console.log(turns.length, "turns") });
assert.equal(memory.preset, "mem0");
assert.match((await memory.recall("Where does Mia live?")).hits[0]?.content ?? "", /Rome/);
await memory.close();
