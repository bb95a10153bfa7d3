import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "ask.db", scope: "mia" });
await memory.remember({ speaker: "Mia", text: "My sister Nora lives in Oslo." });
const { answer, evidence, path } = await memory.ask("Where does Nora live?");
assert.match(answer, /Oslo/);
assert.equal(evidence[0]?.content, "Mia: My sister Nora lives in Oslo.");
assert.equal(path, "local"); // with a model: "model"
await memory.close();
