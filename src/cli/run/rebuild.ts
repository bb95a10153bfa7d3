/** Another design over the same journal, or the same one anew. */
import { rebuildOperation } from "../../operations/rows/rebuild.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { TURNS, underway, WAITING } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export async function rebuildMemory(given: Given, terminal: Terminal): Promise<number> {
  return withMemory(given, terminal, { isNew: false }, async ({ memory, file, model }) => {
    const { scope, preset } = memory;
    const before = await memory.status();
    if (before.work?.state === "running") terminal.note(terminal.text(WAITING));
    const derived = await underway(terminal, TURNS, ({ signal, begin, done }) => {
      begin(before.counts.turns);
      let told = 0;
      const onProgress = (turns: number): void => {
        done(turns - told);
        told = turns;
      };
      return rebuildOperation.run(memory, {}, { signal, onProgress });
    });
    const { memories: entries } = (await memory.status()).counts;
    terminal.give({ db: file, scope, preset, model: model?.id ?? null, ...derived, entries });
    terminal.say(
      terminal.text({
        en: `${derived.turns} turns through ${preset} in ${derived.windows} windows: ${entries} memories.`,
        zh: `${preset} 分 ${derived.windows} 个窗口处理了 ${derived.turns} 轮：共 ${entries} 条记忆。`,
      }),
    );
    return 0;
  });
}
