import { expect, test } from "vitest";
import { manualClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import { parseScope } from "../base/scope.ts";
import { makeTurn, type Turn } from "../base/turn.ts";
import { nextWindow, type WindowOptions } from "./windows.ts";

const clock = manualClock(0);
const ids = createIds(clock);
const scope = parseScope("alice");
const turns = Array.from({ length: 7 }, (_, place): Turn => {
  const made = makeTurn({ text: `t${place}` }, { id: ids.turn(), scope, recordedAt: 0 });
  return { ...made, seq: place + 1 };
});
const texts = (some: readonly Turn[]) => some.map(({ text }) => text).join(" ");

function windowsOf(options: WindowOptions): string[] {
  const out: string[] = [];
  let [seen, fresh]: [readonly Turn[], readonly Turn[]] = [[], turns];
  for (;;) {
    const window = nextWindow(seen, fresh, options, true);
    if (window === undefined) return out;
    out.push(`${texts(window.before)} | ${texts(window.turns)} | ${texts(window.fresh)}`);
    seen = window.seen;
    fresh = fresh.slice(window.fresh.length);
  }
}

test("the turns before a window are shown with it, and not read again", () => {
  expect(windowsOf({ by: "turns", size: 2, overlap: 0, context: 3 })).toEqual([
    " | t0 t1 | t0 t1",
    "t0 t1 | t2 t3 | t2 t3",
    "t1 t2 t3 | t4 t5 | t4 t5",
    "t3 t4 t5 | t6 | t6",
  ]);
});

test("an overlap is read again; what is shown stands before it", () => {
  expect(windowsOf({ by: "turns", size: 3, overlap: 1, context: 1 })).toEqual([
    " | t0 t1 t2 | t0 t1 t2",
    "t1 | t2 t3 t4 | t3 t4",
    "t3 | t4 t5 t6 | t5 t6",
  ]);
});
