import { describe, expect, test } from "vitest";
import { createGate } from "./limit.ts";
import { mapLimited } from "./map-limited.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createGate", () => {
  test("never more than so many at once, in the order of asking", async () => {
    const gate = createGate(3);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        gate(async () => {
          started.push(at);
          most = Math.max(most, ++running);
          for (let waits = 0; waits <= at % 4; waits++) await turn();
          running--;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(started).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  test("a failure gives its place back; an aborted wait gives up its turn", async () => {
    const gate = createGate(1);
    await expect(gate(() => Promise.reject(new Error("x")))).rejects.toThrow("x");
    let release: () => void = () => undefined;
    const holding = gate(() => new Promise<void>((resolve) => (release = resolve)));
    const controller = new AbortController();
    const waiting = gate(async () => "never", controller.signal);
    const next = gate(async () => "next");
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    release();
    await holding;
    expect(await next).toBe("next");
  });

  test("a limit below one is refused", () => {
    expect(() => createGate(0)).toThrow(/Valid: a whole number from 1/);
  });
});

describe("mapLimited", () => {
  test("keeps the order, whatever ends first", async () => {
    const waits = [5, 1, 3, 0, 2];
    const out = await mapLimited(waits, 2, async (turns, _, at) => {
      for (let i = 0; i < turns; i++) await turn();
      return `${at}:${turns}`;
    });
    expect(out).toEqual(["0:5", "1:1", "2:3", "3:0", "4:2"]);
  });

  test("the first failure stops the rest and is what is thrown", async () => {
    const begun: number[] = [];
    const run = mapLimited([0, 1, 2, 3, 4, 5], 2, async (item, signal) => {
      begun.push(item);
      await turn();
      if (item === 1) throw new Error("one");
      await turn();
      signal.throwIfAborted();
      return item;
    });
    await expect(run).rejects.toThrow("one");
    expect(begun).toEqual([0, 1]);
  });

  test("no items, no work; an abort stops all", async () => {
    expect(await mapLimited([], 2, async (item) => item)).toEqual([]);
    const run = mapLimited([1, 2], 1, async (item) => item, AbortSignal.abort());
    await expect(run).rejects.toMatchObject({ code: "aborted" });
  });
});
