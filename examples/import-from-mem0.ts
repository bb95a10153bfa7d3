/** What mem0 exported, kept with its own dates; each memory can be found, and comes with its source. */
import { readFile } from "node:fs/promises";
import { Memory } from "neuromem/runtime";

interface Mem0Memory {
  readonly memory: string;
  readonly created_at: string;
  readonly categories?: readonly string[];
}

const file = process.argv[2] ?? new URL("mem0-export.json", import.meta.url);
const { results } = JSON.parse(await readFile(file, "utf8")) as { results: readonly Mem0Memory[] };
const memory = await Memory.open({ path: "from-mem0.db", scope: "mia" });
await memory.remember(
  results.map(({ memory: judgment, created_at, categories = [] }) => ({
    judgment,
    tags: categories,
    happenedAt: Date.parse(created_at),
    pinned: false,
  })),
);
const { hits } = await memory.recall("What does Mia eat?", { limit: 2 });
for (const { text, happenedAt, tags } of hits) console.log(text, new Date(happenedAt).getUTCFullYear(), tags);
await memory.close();
// On the command line the same is: neuromem import mem0-export.json --scope mia --db from-mem0.db
