#!/usr/bin/env node
// Where does `neuromem` start? In a clone from the sources, which Node runs as they are; in an installed package from
// dist/. Plain JavaScript that any Node can read, because an old one is to be told so before anything else is loaded.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OLDEST = [22, 13];
/** From here on types are stripped without being asked for. */
const STRIPPING = [22, 18];

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = at("../src/cli/main.ts");
const main = existsSync(source) ? source : at("../dist/cli/main.js");
const version = process.versions.node.split(".").map(Number);
const isAtLeast = ([major, minor]) => version[0] > major || (version[0] === major && version[1] >= minor);

if (!isAtLeast(OLDEST)) {
  // A clone brings a newer Node of its own.
  const own = at(
    process.platform === "win32" ? "../node_modules/node/bin/node.exe" : "../node_modules/node/bin/node",
  );
  if (existsSync(own)) startAnew(own, []);
  else {
    process.stderr.write(
      `neuromem needs Node ${OLDEST.join(".")} or newer; this is ${process.versions.node}.\n`,
    );
    process.exitCode = 6;
  }
} else if (main === source && !isAtLeast(STRIPPING)) {
  startAnew(process.execPath, ["--experimental-strip-types", "--no-warnings"]);
} else {
  await import(new URL(main === source ? "../src/cli/main.ts" : "../dist/cli/main.js", import.meta.url).href);
}

function startAnew(node, flags) {
  const child = spawn(node, [...flags, main, ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal tells both of Ctrl-C, a supervisor only this one of SIGTERM: the other ends in its own way, and this one after it.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? (signal === null ? 70 : 130);
  });
}
