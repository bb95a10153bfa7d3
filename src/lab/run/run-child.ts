/** A run in a process of its own: it is told its job, tells how far it is, and ends when it is through, stopped or left alone. */

import { runJob } from "./run-job.ts";
import { failure, type Told, taskSchema } from "./run-messages.ts";
import type { RunProgress } from "./time-left.ts";

/** Between two words on how far it is. */
const TELL_MS = 200;

const stopping = new AbortController();
// Ctrl-C reaches every process of a terminal; what is asked just now is given up, and all that was asked is on disk.
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stopping.abort());
process.on("disconnect", () => stopping.abort());

process.once("message", (message) => {
  work(message)
    .then(
      () => tell({ type: "done" }),
      (error: unknown) => tell(failure(error)),
    )
    .finally(() => process.exit());
});

async function work(message: unknown): Promise<void> {
  const { job, env } = taskSchema.parse(message);
  let told = 0;
  let last: RunProgress | undefined;
  const onProgress = (progress: RunProgress): void => {
    last = progress;
    if (performance.now() - told < TELL_MS) return;
    told = performance.now();
    void tell({ type: "progress", progress });
  };
  await runJob(job, { signal: stopping.signal, onProgress, env });
  if (last !== undefined) await tell({ type: "progress", progress: last });
}

/** When it has been heard; a parent that is gone hears nothing. */
function tell(told: Told): Promise<void> {
  return new Promise((done) => {
    if (process.send === undefined || !process.connected) done();
    else process.send(told, () => done());
  });
}
