import { describe, expect, test } from "vitest";
import { parseScope } from "../../base/scope.ts";
import type { Embedder } from "../model.ts";
import { bilingual } from "./bilingual.ts";
import { oneSpace } from "./embedder-set.ts";
import { withRecentVectors } from "./recent-vectors.ts";

/** A vector by the length of the text; what it was asked is written down. */
function counting(id: string): { readonly embedder: Embedder; readonly asked: string[] } {
  const asked: string[] = [];
  const embedder: Embedder = {
    id,
    provider: "test",
    dimension: 2,
    maxBatch: 8,
    maxTokens: 100,
    async embed(texts) {
      if (texts.includes("down")) throw new Error("the embedder is down");
      asked.push(...texts);
      return texts.map((text) => Float32Array.of(text.length, 1));
    },
  };
  return { embedder, asked };
}

describe("what was embedded a moment ago", () => {
  test("is not embedded again, in whatever scope and however often it is in a call", async () => {
    const { embedder, asked } = counting("one");
    const recent = withRecentVectors(oneSpace(embedder));
    const [tea] = await recent.embedDocuments(["tea", "茶"], { scope: parseScope("alice") });
    const again = await recent.embedDocuments(["cat", "tea", "cat", "茶"], { scope: parseScope("bob") });
    expect(asked).toEqual(["tea", "茶", "cat"]);
    expect(again[1]).toEqual(tea);
    expect(again).toEqual(await oneSpace(embedder).embedDocuments(["cat", "tea", "cat", "茶"]));
    expect(await recent.embedDocument("tea")).toEqual(tea);
  });

  test("is kept for so many texts only, those not used longest go first", async () => {
    const { embedder, asked } = counting("one");
    const recent = withRecentVectors(oneSpace(embedder), 2);
    await recent.embedDocuments(["a", "b"]);
    await recent.embedDocuments(["a"]);
    await recent.embedDocuments(["c"]);
    await recent.embedDocuments(["a", "b"]);
    expect(asked).toEqual(["a", "b", "c", "b"]);
    // More at once than are kept: all come back all the same.
    const many = await recent.embedDocuments(["d", "e", "f"]);
    expect(many.every((vector) => vector !== undefined)).toBe(true);
  });

  test("is of one embedder, and dropped when it is to be forgotten", async () => {
    const [one, two] = [counting("one"), counting("two")];
    const [first, second] = [one, two].map(({ embedder }) => withRecentVectors(oneSpace(embedder)));
    expect((await first?.embedDocument("tea"))?.space).toBe("one");
    expect((await second?.embedDocument("tea"))?.space).toBe("two");
    first?.drop();
    await first?.embedDocument("tea");
    expect([one.asked, two.asked]).toEqual([["tea", "tea"], ["tea"]]);
  });

  test("what fails or has no vector is asked for again", async () => {
    const { embedder, asked } = counting("en");
    const recent = withRecentVectors(bilingual({ en: embedder }));
    await expect(recent.embedDocuments(["tea", "down"])).rejects.toThrow("down");
    expect(await recent.embedDocuments(["tea", "我们去喝茶", " "])).toMatchObject([
      { space: "en" },
      undefined,
      undefined,
    ]);
    expect(asked).toEqual(["tea"]);
  });

  test("counts as done where somebody watches", async () => {
    const recent = withRecentVectors(oneSpace(counting("one").embedder));
    await recent.embedDocuments(["tea"]);
    const told: number[][] = [];
    await recent.embedDocuments(["tea", "cat"], { onProgress: (...counts) => told.push(counts) });
    expect(told.at(-1)).toEqual([2, 2]);
  });
});
