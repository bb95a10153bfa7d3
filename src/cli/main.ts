/** `neuromem`: the command line. bin/neuromem.js starts it. */
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";

// What is loaded from here on is compiled once, not at every start: a client that starts us waits less than half as long.
enableCompileCache();
const { COMMANDS } = await import("./commands/index.ts");
const { route } = await import("./router.ts");

/** The same place from src/cli/ and from dist/cli/. */
const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const version = /"version": "([^"]+)"/.exec(manifest)?.[1] ?? "?";

// Whoever reads our results may have had enough of them; that nobody reads the progress is no reason to stop half-way.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 7));
process.stderr.on("error", () => undefined);
process.exitCode = await route(process.argv.slice(2), COMMANDS, process, version);
