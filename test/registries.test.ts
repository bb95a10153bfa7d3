/** Nothing pluggable is forgotten: every file that defines an index kind is registered, under the file's own name. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { INDEX_KINDS } from "../src/indexes/index.ts";
import { stripSource } from "./source-text.ts";

const FOLDER = resolve(import.meta.dirname, "../src/indexes");

const defined = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "index.ts")
  .filter((file) =>
    /\bdefineIndex(?:<[^(]*>)?\(\{/.test(
      stripSource(readFileSync(join(FOLDER, file), "utf8"), { strings: false }),
    ),
  )
  .map((file) => ({ file, kind: file.replace(/\.ts$/, "").replaceAll("-", "_") }));

describe("[S0-50] the registry of index kinds", () => {
  test("there are kinds", () => {
    expect(defined.length).toBeGreaterThan(0);
  });

  test.each(defined)("src/indexes/$file is in src/indexes/index.ts as $kind", ({ file, kind }) => {
    expect(
      Object.keys(INDEX_KINDS),
      `src/indexes/${file} is not in src/indexes/index.ts as "${kind}"`,
    ).toContain(kind);
  });

  test.each(Object.entries(INDEX_KINDS))(
    "%s is registered under its own kind, from its own file, with a summary",
    (kind, definition) => {
      expect(definition.kind).toBe(kind);
      expect(
        defined.map((one) => one.kind),
        `no file in src/indexes defines "${kind}"; file name and kind must agree`,
      ).toContain(kind);
      expect(definition.summary).toMatch(/\S.*\.$/);
    },
  );
});
