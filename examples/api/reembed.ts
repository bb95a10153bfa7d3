import assert from "node:assert/strict";
import { builtInEmbedder } from "neuromem/models";
import { Memory } from "neuromem/runtime";

const before = await Memory.open({ path: "reembed.db", preset: "bm25", scope: "mia" });
await before.remember("Mia adopted a puppy from the shelter.");
await before.close();
// Opened with an embedder that has not seen its memories yet: they get their vectors, and are found by meaning.
const memory = await Memory.open({
  path: "reembed.db",
  preset: "neuromem",
  scope: "mia",
  embedder: await builtInEmbedder(),
});
await memory.rebuild();
const { kept } = await memory.reembed({ onProgress: (done, total) => console.log(done, "of", total) });
assert.equal(kept, 1);
await memory.close();
