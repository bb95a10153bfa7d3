/** Everything of somebody, or what of it was said under labels: by an agent, in an app, in a run. */
import type { Memory } from "../../runtime/memory.ts";
import { ownTurns } from "../../runtime/pages.ts";
import { type Entities, scopeNamed } from "./entities.ts";
import { besideOf } from "./memory-view.ts";

/** In the scope that they name; the labels beside the one that names it must all be there. */
export async function eraseAll(memory: Memory, given: Entities): Promise<void> {
  const { run_id } = given;
  const labels = (["agent_id", "app_id"] as const).flatMap((name) => {
    const id = given[name];
    // The one that the scope is called by needs no looking for.
    const isLabel = typeof id === "string" && scopeNamed(given) !== scopeNamed({ [name]: id });
    return isLabel ? [{ name, id }] : [];
  });
  if (labels.length === 0) {
    await memory.forget(typeof run_id === "string" ? { session: run_id } : { everything: true });
    return;
  }
  const turns: string[] = [];
  for await (const turn of ownTurns(memory.running().storage, memory.scope)) {
    const beside = besideOf(turn);
    const isOfRun = typeof run_id !== "string" || turn.session === run_id;
    if (isOfRun && labels.every(({ name, id }) => beside[name] === id)) turns.push(turn.id);
  }
  await memory.forget({ turns });
}
