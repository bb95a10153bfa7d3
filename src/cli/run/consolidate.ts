/** The design's own upkeep, now. */
import { consolidateOperation } from "../../operations/rows/consolidate.ts";
import type { Given } from "../command.ts";
import { sayStages } from "../memory-text.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export async function consolidateMemory(given: Given, terminal: Terminal): Promise<number> {
  return withMemory(given, terminal, { isNew: false }, async ({ memory }) => {
    const done = await stoppable((signal) => consolidateOperation.run(memory, {}, { signal }));
    const { added, retired, deleted, tags, stages } = done;
    terminal.give({ preset: memory.preset, scope: memory.scope, ...done });
    terminal.say(
      terminal.text({
        en: `${added.length} memories added, ${retired.length} retired, ${deleted.length} deleted, ${tags} tags swept.`,
        zh: `新增 ${added.length} 条，退役 ${retired.length} 条，删除 ${deleted.length} 条，清理标签 ${tags} 个。`,
      }),
    );
    if (stages.length > 0) sayStages(stages, terminal);
    return 0;
  });
}
