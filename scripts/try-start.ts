/**
 * Does `npm start` do what the README says, from nothing? It is started as a user does, the things it says to try are tried, and
 * it is told to end.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const child = spawn("npm", ["start", "--silent"], { stdio: ["ignore", "pipe", "inherit"], detached: true });
const ended = once(child, "exit");
const tries: string[] = [];
try {
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    if (line.trimStart().startsWith("curl ")) tries.push(line.trim());
    if (line.includes("/docs")) break;
  }
  assert.equal(tries.length, 2, "two of the three things to try are calls");
  const said: string[] = [];
  for (const line of tries) said.push(await call(line));
  assert.match(said[0] ?? "", /"answer":"[^"]*(walnut|hazelnut|nut)/i);
  assert.match(said[1] ?? "", /"turns":\["/);
  const page = await fetch("http://127.0.0.1:8765/docs");
  assert.equal(page.status, 200);
} finally {
  // The shell that npm starts stands between: all of them are told.
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
}
await ended;
process.stdout.write("npm start served, and ended\n");

/** What the printed line would do: curl need not be there. */
async function call(line: string): Promise<string> {
  const [, url = "", body = ""] = /^curl -s "([^"]+)" .* -d '([^']*)'$/.exec(line) ?? [];
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return reply.text();
}
