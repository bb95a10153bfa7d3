/** One memory, with all its fields and what was said that it comes from. */

import { getOperation } from "../../operations/rows/get.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import type { Given } from "../command.ts";
import { entryLine, minuteOf, turnLine } from "../memory-text.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function showMemory(given: Given, terminal: Terminal): Promise<number> {
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory, storage }) => {
    const entry = await getOperation.run(memory, { id: given.argument("ID") });
    const [turns = []] = await turnSources(storage, memory.scope, [entry]);
    terminal.give({ ...entry, turns });
    const { say, text, paint } = terminal;
    say(entryLine(entry, terminal));
    const row = (name: { en: string; zh: string }, value: string): void => {
      if (value !== "") say(`  ${paint("dim", `${text(name)}:`)} ${value}`);
    };
    row({ en: "why", zh: "理由" }, entry.rationale);
    row({ en: "happened", zh: "发生" }, minuteOf(entry.happenedAt));
    row({ en: "learned", zh: "记下" }, minuteOf(entry.recordedAt));
    row({ en: "looked at", zh: "查看" }, `${entry.accessCount} ×`);
    row({ en: "useful", zh: "有用" }, entry.usefulCount === 0 ? "" : `${entry.usefulCount} ×`);
    row({ en: "strength", zh: "强度" }, entry.strength === 0 ? "" : String(entry.strength));
    row({ en: "pinned", zh: "固定" }, entry.pinned ? "✓" : "");
    row(
      { en: "more", zh: "其他" },
      Object.keys(entry.metadata).length === 0 ? "" : JSON.stringify(entry.metadata),
    );
    for (const turn of turns) say(paint("dim", `  ← ${turnLine(turn)}`));
    return 0;
  });
}
