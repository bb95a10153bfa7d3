/** Vectors by the embedder at work, for memories that have none of its. */

import { reembedOperation } from "../../operations/rows/reembed.ts";
import type { Given } from "../command.ts";
import type { Progress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

const UNIT = { en: "memories", zh: "条记忆" };

export async function reembedMemory(given: Given, terminal: Terminal): Promise<number> {
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
    let progress: Progress | undefined;
    let told = 0;
    const onProgress = (done: number, total: number): void => {
      progress ??= terminal.progress(total, UNIT);
      progress.add(done - told);
      told = done;
    };
    try {
      const done = await stoppable((signal) => reembedOperation.run(memory, {}, { signal, onProgress }));
      progress?.end();
      terminal.give({ preset: memory.preset, scope: memory.scope, ...done });
      terminal.say(
        terminal.text({
          en: `${done.entries} memories embedded, ${done.kept} kept as they were (${done.spaces.join(", ")}).`,
          zh: `已嵌入 ${done.entries} 条，${done.kept} 条保持原样（${done.spaces.join("、")}）。`,
        }),
      );
      return 0;
    } catch (error) {
      progress?.end();
      throw error;
    }
  });
}
