/** A memory inside your own process: no server, no key, one file. */
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "library.db", scope: "mia" });
await memory.remember([
  { speaker: "Mia", text: "I moved from Rome to Lisbon in March.", happenedAt: Date.UTC(2024, 3, 2) },
  { speaker: "Mia", text: "My sister Lea keeps two cats.", happenedAt: Date.UTC(2024, 3, 9) },
]);

const { hits, confidence } = await memory.recall("Where does Mia live now?", { limit: 1 });
console.log(hits[0]?.text, hits[0]?.scoreParts, confidence);

// What an agent puts into its prompt: a part that stays the same in a session, and one for the question.
const { text, tokens } = await memory.context("Does Mia's family have pets?", { session: "s1" });
console.log(text, tokens);
await memory.close();
