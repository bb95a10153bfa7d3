import { expect, test } from "vitest";
import { createQueue } from "./promise.ts";

test("tasks run one after another, in order; a failed one reports to its caller and does not stop the next", async () => {
  const queue = createQueue();
  const log: string[] = [];
  const slow = queue(async () => {
    await new Promise((done) => setTimeout(done, 5));
    log.push("slow");
    return 1;
  });
  const failing = queue(() => {
    log.push("failing");
    throw new Error("no");
  });
  const next = queue(() => {
    log.push("next");
    return 2;
  });
  await expect(failing).rejects.toThrow("no");
  expect([await slow, await next]).toEqual([1, 2]);
  expect(log).toEqual(["slow", "failing", "next"]);
});
