import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "flush.db", preset: "simplemem", scope: "mia" });
await memory.remember({ speaker: "Mia", text: "I moved to Rome in May 2023." });
assert.equal((await memory.status()).waiting, 1); // SimpleMem reads windows of forty turns
await memory.flush();
assert.equal((await memory.status()).waiting, 0);
await memory.close();
