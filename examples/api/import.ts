import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const old = await Memory.open({ path: "import-old.db", scope: "mia" });
await old.remember({ speaker: "Mia", text: "I moved to Rome.", happenedAt: Date.UTC(2023, 4, 8) });
const bundle = await Array.fromAsync(old.export());
await old.close();

const memory = await Memory.open({ path: "import-new.db", scope: "mia" });
const { turns, entries, path } = await memory.import(bundle);
assert.deepEqual([turns, entries, path], [1, 1, "restored"]);
assert.equal((await memory.import(bundle)).turns, 0); // nothing comes twice
await memory.close();
