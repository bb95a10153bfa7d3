/** LangGraph's long-term store on a file: give it to `builder.compile({ store })`. Here it is used by itself. */
import { NeuroMemStore } from "neuromem/langgraph";
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "langgraph.db", scope: "mia/graph" });
const store = new NeuroMemStore({ memory });

await store.put(["users", "mia"], "food", { text: "Mia likes pizza with mushrooms." });
await store.put(["users", "mia"], "sport", { text: "Mia swims on Mondays." });
await store.put(["users", "mia"], "food", { text: "Mia likes sushi now." });

const [best] = await store.search(["users", "mia"], { query: "what should we cook for her?", limit: 1 });
console.log(best?.key, best?.value, best?.score);
console.log(await store.listNamespaces({ prefix: ["users"] }));
await store.delete(["users", "mia"], "sport");
console.log(await store.get(["users", "mia"], "sport"));
await memory.close();
