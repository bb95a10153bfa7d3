import fc from "fast-check";
import { expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import { parseScope } from "../base/scope.ts";
import { makeTurn, type Turn } from "../base/turn.ts";
import { nextWindow, type Window, type WindowOptions } from "./windows.ts";

const clock = manualClock(0);
const ids = createIds(clock);
const scope = parseScope("alice");
const turns = Array.from({ length: 7 }, (_, place): Turn => {
  const made = makeTurn({ text: `t${place}` }, { id: ids.turn(), scope, recordedAt: 0 });
  return { ...made, seq: place + 1 };
});
const texts = (some: readonly Turn[]) => some.map(({ text }) => text).join(" ");

function windowsOf(options: WindowOptions): string[] {
  return cutAll(options).map(
    (window) => `${texts(window.before)} | ${texts(window.turns)} | ${texts(window.fresh)}`,
  );
}

function cutAll(options: WindowOptions): Window[] {
  const out: Window[] = [];
  let [seen, fresh]: [readonly Turn[], readonly Turn[]] = [[], turns];
  for (;;) {
    const window = nextWindow(seen, fresh, options, true);
    if (window === undefined) return out;
    out.push(window);
    seen = window.seen;
    fresh = fresh.slice(window.fresh.length);
  }
}

test("the turns before a window are shown with it, and not read again", () => {
  expect(windowsOf({ by: "turns", size: 2, overlap: 0, context: 3, together: 1 })).toEqual([
    " | t0 t1 | t0 t1",
    "t0 t1 | t2 t3 | t2 t3",
    "t1 t2 t3 | t4 t5 | t4 t5",
    "t3 t4 t5 | t6 | t6",
  ]);
});

test("an overlap is read again; what is shown stands before it", () => {
  expect(windowsOf({ by: "turns", size: 3, overlap: 1, context: 1, together: 1 })).toEqual([
    " | t0 t1 t2 | t0 t1 t2",
    "t1 | t2 t3 t4 | t3 t4",
    "t3 | t4 t5 t6 | t5 t6",
  ]);
});

test("a backlog comes several windows at once, and what is left of it at the end", () => {
  const options = { by: "turns", size: 3, overlap: 1, context: 0, together: 2 } as const;
  expect(windowsOf(options)).toEqual([" | t0 t1 t2 t3 t4 | t0 t1 t2 t3 t4", " | t4 t5 t6 | t5 t6"]);
  expect(windowsOf({ ...options, together: 3 })).toEqual([" | t0 t1 t2 t3 t4 t5 t6 | t0 t1 t2 t3 t4 t5 t6"]);
  expect(windowsOf({ ...options, size: 4, overlap: 0, together: 3 })).toHaveLength(1);
  const cut = (count: number) => nextWindow([], turns.slice(0, count), options, false)?.fresh.length;
  expect([2, 3, 4, 5, 6, 7].map(cut)).toEqual([undefined, 3, 3, 5, 5, 5]);
});

test("whatever is handed over together, the same windows are read", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.nat(4),
      fc.integer({ min: 1, max: 4 }),
      (size, over, most) => {
        const overlap = Math.min(over, size - 1);
        const fresh = (together: number) =>
          cutAll({ by: "turns", size, overlap, context: 0, together }).flatMap((window) => window.fresh);
        expect(fresh(most)).toEqual(turns);
        for (const { turns: read } of cutAll({ by: "turns", size, overlap, context: 0, together: most }))
          expect(read.length).toBeLessThanOrEqual(size + (most - 1) * (size - overlap));
      },
    ),
  );
});
