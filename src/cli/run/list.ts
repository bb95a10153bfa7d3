/** The memories of a scope, a page of them. */
import { listOperation } from "../../operations/rows/list.ts";
import type { Given } from "../command.ts";
import { entryLine } from "../memory-text.ts";
import { kindAndTag, wholeNumber } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function listMemories(given: Given, terminal: Terminal): Promise<number> {
  const options = {
    filter: kindAndTag(given),
    limit: wholeNumber(given, "limit"),
    after: given.text("after"),
    all: given.isSet("all"),
  };
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
    const { entries, next } = await listOperation.run(memory, options);
    terminal.give({ preset: memory.preset, scope: memory.scope, entries, next });
    for (const entry of entries) terminal.say(entryLine(entry, terminal));
    if (entries.length === 0) terminal.say(terminal.text({ en: "(none)", zh: "（没有）" }));
    if (next !== null)
      terminal.note(
        terminal.text({ en: `There are more: --after ${next}`, zh: `还有更多：--after ${next}` }),
      );
    return 0;
  });
}
