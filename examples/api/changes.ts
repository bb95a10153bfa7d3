import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "changes.db", scope: "mia" });
const { next } = await memory.changes();
await memory.remember({ speaker: "Mia", text: "I moved to Rome." });

// Whoever follows a memory asks for what came after the place it knows.
const { events, next: place } = await memory.changes({ after: next, limit: 10 });
for (const { seq, operation, actor, subject } of events) console.log(seq, operation, actor, subject);
assert.ok(events.some(({ operation }) => operation === "entry-insert"));
assert.deepEqual(await memory.changes({ after: place }), { events: [], next: place });
await memory.close();
