import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "record.db", scope: "mia" });
const { text, recalled } = await memory.context("Which tea do I like?");
// … the model is asked with `text` in its prompt …
await memory.record({ user: "I like green tea.", assistant: "Noted: green tea.", session: "monday" });
assert.equal(text, "");
assert.equal(recalled.hits.length, 0);
assert.match((await memory.recall("tea")).hits[0]?.content ?? "", /green tea/);
await memory.close();
