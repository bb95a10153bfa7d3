import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import type { TraceEvent } from "../../base/trace.ts";
import { builtInEmbedder } from "./built-in.ts";
import { lazyBuiltInEmbedder } from "./lazy-built-in.ts";

test("says into which spaces it embeds before anything is loaded, and then does the same as the other", async () => {
  const events: TraceEvent[] = [];
  const lazy = await lazyBuiltInEmbedder({ trace: (event) => void events.push(event) });
  const eager = await builtInEmbedder();
  expect(lazy.spaces).toEqual(eager.spaces);
  expect(events).toEqual([]);
  const texts = ["Mia moved to Rome.", "王芳喜欢吃火锅。", " "];
  expect(await lazy.embedDocuments(texts)).toEqual(await eager.embedDocuments(texts));
  expect(await lazy.embedDocument("tea")).toEqual(await eager.embedDocument("tea"));
  expect(await lazy.embedQuery("谁喜欢火锅？")).toEqual(await eager.embedQuery("谁喜欢火锅？"));
  expect(events.filter(({ type }) => type === "embedder-choose")).toHaveLength(2);
  await lazy.close();
  await eager.close();
});

test("a language that nobody writes or asks in is never loaded", async () => {
  const events: TraceEvent[] = [];
  const lazy = await lazyBuiltInEmbedder({ trace: (event) => void events.push(event) });
  const opened = (): unknown[] =>
    events.flatMap((event) => (event.type === "embedder-choose" ? [event.language] : []));
  const [english, chinese] = lazy.spaces.map(({ space }) => space);
  await lazy.embedDocuments(["Mia moved to Rome."]);
  const asked = await lazy.embedQuery("谁喜欢火锅？", { spaces: [english ?? ""] });
  expect(asked.map(({ space, native }) => [space, native])).toEqual([[english, false]]);
  expect(await lazy.embedQuery("  ")).toEqual([]);
  expect(await lazy.embedQuery("Where?", { spaces: [] })).toEqual([]);
  expect((await lazy.embedQuery("Where?", { spaces: "native" })).map(({ space }) => space)).toEqual([
    english,
  ]);
  expect(opened()).toEqual(["en"]);
  expect((await lazy.embedQuery("Where?")).map(({ space }) => space)).toEqual([english, chinese]);
  expect(opened()).toEqual(["en", "zh"]);
  await lazy.close();
});

test("where the encoder does not run after all, that is told once for each language, and search is by words", async () => {
  const events: TraceEvent[] = [];
  const lazy = await lazyBuiltInEmbedder({
    trace: (event) => void events.push(event),
    loadRuntime: async () => {
      throw new MemoryError("missing_dependency", "It has no binary for this machine.");
    },
  });
  expect(await lazy.embedQuery("Where?")).toEqual([]);
  expect(await lazy.embedDocuments(["Mia", "王芳"])).toEqual([undefined, undefined]);
  expect(await lazy.embedQuery("谁？")).toEqual([]);
  expect(events).toEqual(
    ["English", "Chinese"].map((language) => ({
      type: "warning-raise",
      code: "missing_dependency",
      message: `${language} is found by its words only. It has no binary for this machine.`,
    })),
  );
  await lazy.close();
});

test("where a package is missing, what runs is known at once", async () => {
  const lazy = await lazyBuiltInEmbedder({ findPackage: () => undefined });
  expect(lazy.spaces).toEqual([]);
  await lazy.close();
});
