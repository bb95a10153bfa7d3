import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "close.db", scope: "mia" });
await memory.close();
await assert.rejects(memory.recall("anything"), { code: "storage_closed" });
