import assert from "node:assert/strict";
import { openBiem } from "neuromem/runtime";

const biem = await openBiem({ path: "biem.db", scope: "mia" });
await biem.ingest("I want to learn PyTorch in 2025.", { source: "explicit" });
const block = await biem.prepareContext("What do I want to learn?"); // after the system prompt, before the history
assert.match(block, /● E=/);
await biem.recordUserMessage("What do I want to learn?");
await biem.recordAssistantMessage("PyTorch, you said.");
const [node] = await biem.recall("PyTorch", 1);
assert.ok((node?.energy ?? 0) > 0.6); // a look has made it livelier
console.log(await biem.stats(), await biem.conflicts());
await biem.close();
