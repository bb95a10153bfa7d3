import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

// A file, the default design, a scope. Another back end: storage instead of path; another design: preset.
const memory = await Memory.open({ path: "open.db", preset: "neuromem", scope: "mia" });
assert.equal(memory.preset, "neuromem");
await memory.close();
