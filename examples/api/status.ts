import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "status.db", scope: "mia" });
await memory.remember("I moved to Rome.");
const { preset, waiting, work } = await memory.status();
assert.equal(preset, "neuromem");
assert.equal(waiting, 0);
assert.equal(work?.lastError ?? null, null);
await memory.close();
