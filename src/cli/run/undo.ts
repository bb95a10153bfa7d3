/** A change, taken back. */
import { undoOperation } from "../../operations/rows/undo.ts";
import type { Given } from "../command.ts";
import { eventNumber } from "../event-number.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function undoEvent(given: Given, terminal: Terminal): Promise<number> {
  const event = eventNumber(given.argument("EVENT"), "EVENT");
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
    const undone = await undoOperation.run(memory, { event });
    terminal.give(undone);
    terminal.say(
      terminal.text({
        en: `Taken back: ${undone.events.length} changes of ${undone.entries.length} memories (${undone.entries.join(", ")}).`,
        zh: `已撤销：${undone.entries.length} 条记忆的 ${undone.events.length} 处改动（${undone.entries.join("、")}）。`,
      }),
    );
    return 0;
  });
}
