import assert from "node:assert/strict";
import { createAgentLoop, Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "agent-loop.db", scope: "mia" });
await memory.remember({ speaker: "Mia", text: "I moved to Lisbon in May." });
// With `model: openChatModel("ollama", { model: "qwen3" })` from neuromem/models the answer is streamed.
const loop = createAgentLoop({ memory, system: "You are a helpful assistant.", session: "monday" });
const { answer, path, recalled } = await loop.say("Where did Mia move?");
assert.match(answer, /Lisbon/);
assert.equal(path, "local");
console.log(recalled?.hits[0]?.scoreParts);
await memory.close();
