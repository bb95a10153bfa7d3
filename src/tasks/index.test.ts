import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { TASKS, taskNamed } from "./index.ts";

const defined = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "task.ts")
  .filter((file) => /= defineTask\(/.test(readFileSync(resolve(import.meta.dirname, file), "utf8")))
  .map((file) => file.replace(/\.ts$/, "").replaceAll("-", "_"));

test("every file that defines a task is registered under its own name, and nothing else is", () => {
  expect(Object.keys(TASKS).sort()).toEqual(defined.sort());
});

test.each(Object.entries(TASKS))("%s says what it is", (name, task) => {
  expect(task.name).toBe(name);
  expect(task.prompt).toBe(name);
  expect(task.summary).toMatch(/^[A-Z].*\.$/);
  expect(task.fallback).toMatch(/^[A-Z].*\.$/);
});

test("a mistyped name gets a suggestion", () => {
  expect(taskNamed("summarize")).toBe(TASKS.summarize);
  expect(() => taskNamed("summarise")).toThrow(/Did you mean "summarize"\?/);
});
