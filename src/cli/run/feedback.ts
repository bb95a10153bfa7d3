/** Tells the memory what came of a recall. */
import { MemoryError } from "../../base/errors.ts";
import { feedbackOperation } from "../../operations/rows/feedback.ts";
import { getOperation } from "../../operations/rows/get.ts";
import type { Given } from "../command.ts";
import { list } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function giveFeedback(given: Given, terminal: Terminal): Promise<number> {
  const useful = list(given, "useful");
  const group = list(given, "merge");
  if (useful === undefined && group === undefined) {
    throw new MemoryError(
      "option_invalid",
      "What came of it? Valid: --useful ID,ID, --merge ID,ID, or both.",
    );
  }
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
    const input = { useful, merge: group === undefined ? undefined : [group] };
    const report = await feedbackOperation.run(memory, input);
    terminal.give(report);
    const { say, note, text } = terminal;
    say(
      text({
        en: `${report.strengthened.length} memories strengthened, ${report.merged.length} merged.`,
        zh: `增强 ${report.strengthened.length} 条，合并出 ${report.merged.length} 条。`,
      }),
    );
    for (const { id, from } of report.merged) {
      const { content } = await getOperation.run(memory, { id });
      say(`  ${id} ← ${from.join(", ")}: ${content}`);
    }
    if (report.merged.length > 0)
      note(
        text({
          en: "The first one's words stay; the others can still be read, and history and undo bring them back.",
          zh: "保留第一条的文字；其余仍可查看，可用 history 和 undo 恢复。",
        }),
      );
    return 0;
  });
}
