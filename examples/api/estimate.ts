import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "estimate.db", preset: "mem0", scope: "mia" });
const turns = Array.from({ length: 200 }, (_, n) => ({
  speaker: "Mia",
  text: `On day ${n} I visited Rome.`,
}));
const { calls, inputTokens, money } = await memory.estimate(turns, {
  sample: 20,
  price: { input: 0.4, output: 1.6 },
});
console.log(`${calls} calls, ${inputTokens} tokens, $${money?.toFixed(2)}`);
assert.ok(calls > 0);
await memory.close();
