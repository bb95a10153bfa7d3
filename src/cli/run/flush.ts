/** What waits is taken up, windows that are not full among it. */
import { flushOperation } from "../../operations/rows/flush.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { TURNS, type Underway, underway } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export async function flushMemory(given: Given, terminal: Terminal): Promise<number> {
  let way: Underway | undefined;
  const opening = {
    isNew: false,
    onWindow: (_: unknown, { turns }: { readonly turns: readonly unknown[] }) => way?.done(turns.length),
  };
  return withMemory(given, terminal, opening, async ({ memory, file }) => {
    const { waiting } = await memory.status();
    const derived = await underway(terminal, TURNS, (begun) => {
      way = begun;
      begun.begin(waiting);
      return flushOperation.run(memory, {}, { signal: begun.signal });
    });
    const { memories } = (await memory.status()).counts;
    terminal.give({ db: file, scope: memory.scope, preset: memory.preset, ...derived, memories });
    terminal.say(
      terminal.text({
        en: `${derived.turns} turns taken up by ${memory.preset}: ${memories} memories.`,
        zh: `${memory.preset} 处理了 ${derived.turns} 轮：共 ${memories} 条记忆。`,
      }),
    );
    return 0;
  });
}
