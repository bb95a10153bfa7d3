import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

// A file, the default design, a scope. Another back end: storage instead of path; another design: preset.
const memory = await Memory.open({ path: "open.db", preset: "hybrid", scope: "mia" });
assert.equal(memory.preset, "hybrid");
await memory.close();
