/** Which release is this? As the package says; the same place from src/server/ and from dist/server/. */
import { readFileSync } from "node:fs";

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

export const VERSION: string = /"version": "([^"]+)"/.exec(manifest)?.[1] ?? "?";
