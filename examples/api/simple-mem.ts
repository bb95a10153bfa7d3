import assert from "node:assert/strict";
import { SimpleMem } from "neuromem/runtime";

const mem = await SimpleMem.open({ path: "simple-mem.db", scope: "alice" });
await mem.addDialogue("Alice", "Bob, let's meet at Starbucks tomorrow at 2pm.", "2025-11-15T14:30:00");
await mem.addDialogue("王芳", "我昨天在成都吃了火锅。", "2025-11-15T15:00:00");
await mem.finalize(); // the last window is taken up though it is not full

const entries = await mem.retrieve("When do Alice and Bob meet?");
assert.match(entries[0]?.lossless_restatement ?? "", /16 November 2025|2025-11-16/);
assert.ok((await mem.keywordSearch(["Starbucks"])).length > 0);
assert.ok((await mem.structuredSearch({ persons: ["Alice"] })).length > 0);
console.log((await mem.ask("Where do Alice and Bob meet?")).answer);
await mem.close();
