import assert from "node:assert/strict";
import { Memory } from "neuromem/runtime";

const mia = await Memory.open({ path: "in.db", scope: "mia" });
const ben = mia.in("ben");
await ben.remember("Ben is allergic to nuts.");
await mia.in("public").remember("The office is closed on Fridays.");

assert.equal((await mia.recall("Who is allergic?")).hits[0]?.content, "The office is closed on Fridays.");
assert.equal((await ben.recall("Who is allergic?")).hits[0]?.content, "Ben is allergic to nuts.");
await mia.close();
