import assert from "node:assert/strict";
import { where } from "neuromem";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "list.db", scope: "mia" });
await memory.remember(["One.", "Two.", "Three."]);
const first = await memory.list({ limit: 2 });
const rest = await memory.list({ limit: 2, after: first.next ?? "" });
assert.deepEqual([first.entries.length, rest.entries.length, rest.next], [2, 1, null]);
const found = await memory.list({ filter: where.range("happenedAt", { gte: Date.now() - 60_000 }) });
assert.equal(found.entries.length, 3);
await memory.close();
