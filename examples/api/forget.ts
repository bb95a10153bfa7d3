import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "forget.db", scope: "mia" });
await memory.remember({ speaker: "Ben", text: "My password is swordfish.", session: "friday" });
const report = await memory.forget({ session: "friday" });
assert.equal(report.turns.length, 1);
assert.equal((await memory.recall("password")).hits.length, 0);
await memory.close();
