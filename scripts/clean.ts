/** Removes folders that a build makes again: `node scripts/clean.ts dist`. Refuses what is not inside the project. */
import { existsSync, realpathSync, rmSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";

const KEPT = new Set([".git", "node_modules", "src"]);

const project = realpathSync(dirname(import.meta.dirname));
const given = process.argv.slice(2);
if (given.length === 0) fail("Nothing to clean. Valid: node scripts/clean.ts <folder> …");

for (const folder of given) {
  const path = resolve(project, folder);
  if (!existsSync(path)) continue;
  const inside = relative(project, realpathSync(path)).split(sep);
  const [top = ""] = inside;
  if (top === "" || top === ".." || resolve(project, ...inside) !== path || KEPT.has(top)) {
    fail(`Will not remove "${folder}". Valid: a folder inside the project that a build makes, as "dist".`);
  }
  rmSync(path, { recursive: true });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
