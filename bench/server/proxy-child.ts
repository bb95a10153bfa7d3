/** The process between a client and its model: a filled memory behind the proxy. Says its URL when it is ready. */
import { listen } from "../../src/server/listen.ts";
import { createProxyApp } from "../../src/server/proxy/proxy.ts";
import { PROXY_LIMITS } from "../../src/server/proxy/proxy-options.ts";
import { createCorpus } from "../engine/corpus.ts";
import { openFilled } from "../filled-memory.ts";

const [, , file = "", upstream = ""] = process.argv;
const memory = await openFilled(file, createCorpus());
const app = createProxyApp({ memory, upstream });
const { url } = await listen(app, { host: "127.0.0.1", port: 0, limits: PROXY_LIMITS });
process.on("disconnect", () => process.exit(0));
process.send?.({ url });
