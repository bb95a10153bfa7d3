/**
 * What was said while another design was at work: who opens a memory with this one finds it, too, and need not ask for it.
 * It is taken up in the background, where `status` shows it. Not by a design that asks a model for what it keeps: that costs,
 * rules in its place would keep less, and a bundle may bring its memories yet. It begins with `flush`, `rebuild` or the next
 * `remember`.
 */
import { MemoryError } from "../base/errors.ts";
import type { Scope } from "../base/scope.ts";
import { hasWaiting } from "./derive.ts";
import { asksAtWrites, type Running } from "./running.ts";

const CAUSE = { actor: "runtime", cause: "catch-up" } as const;

/** Never fails: what could not be asked for now is asked for when the memory is opened again. */
export async function catchUp(running: Running, scope: Scope): Promise<void> {
  const { storage, worker, trace } = running;
  try {
    if (!(await isBehind(running, scope))) return;
    await storage.commit(scope, [worker.ask(scope)], CAUSE);
    worker.kick();
  } catch (error) {
    const code = MemoryError.is(error) ? error.code : "invariant";
    trace({
      type: "warning-raise",
      code,
      message: `The journal of the scope "${scope}" was not looked at: ${error}`,
    });
  }
}

/** Whether turns wait that nobody has asked this design to take up, and that it takes up without a model. */
export async function isBehind(running: Running, scope: Scope): Promise<boolean> {
  const { storage, design, worker } = running;
  if (asksAtWrites(design.preset)) return false;
  if (!(await hasWaiting(design, storage, scope))) return false;
  // Looked at last: whoever tells this design something meanwhile asks for it in the same transaction.
  const job = await worker.job(scope);
  return job === undefined || job.state === "done";
}
