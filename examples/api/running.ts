import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "running.db", preset: "simplemem", scope: "mia" });
const { design, storage } = memory.running();
assert.equal(design.service.name, "hybrid_memory");
assert.equal((await storage.stats()).turns, 0);
await memory.close();
