import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseScope } from "../base/scope.ts";
import { createScopeQueues } from "./scope-queues.ts";

const [ALICE, BOB] = [parseScope("alice"), parseScope("鲍勃")];

test("tasks of one scope run one after another, in order, and a failed one stops none", async () => {
  const queue = createScopeQueues();
  const done: number[] = [];
  const tasks = [30, 20, 10].map((ms, place) =>
    queue(ALICE, async () => {
      await setTimeout(ms);
      done.push(place);
      if (place === 1) throw new Error("one failed");
      return place;
    }),
  );
  expect((await Promise.allSettled(tasks)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(done).toEqual([0, 1, 2]);
});

test("tasks of another scope do not wait", async () => {
  const queue = createScopeQueues();
  let release = (): void => undefined;
  const held = queue(ALICE, () => new Promise<void>((resolve) => (release = resolve)));
  expect(await queue(BOB, () => "done")).toBe("done");
  release();
  await held;
});
