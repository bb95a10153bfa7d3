/** The same verbs over HTTP, for browsers and other processes. Start the server first: neuromem serve --db remote.db */
import { connect } from "neuromem/client";

const { NEUROMEM_URL = "http://127.0.0.1:8765", NEUROMEM_KEY: key } = process.env;
const memory = connect({ url: NEUROMEM_URL, key, scope: "mia" });
await memory.remember({ speaker: "Mia", text: "The key of the cellar lies under the blue pot." });
const { hits } = await memory.recall("Where is the key?", { limit: 1 });
console.log(hits[0]?.text, hits[0]?.score);

const page = await memory.list({ limit: 10 });
console.log(page.entries.length, "memories;", (await memory.status()).counts);
await memory.close();
