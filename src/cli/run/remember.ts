/** A sentence or a judged memory, into the journal and through the design. */

import { rememberOperation } from "../../operations/rows/remember.ts";
import type { Rememberable } from "../../runtime/remember.ts";
import { MEMORY_TYPES } from "../../tasks/memory-types.ts";
import type { Given } from "../command.ts";
import { inputText } from "../input-text.ts";
import { list, moment } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

export async function rememberText(given: Given, terminal: Terminal): Promise<number> {
  const said = rememberable(given, await inputText(given, "TEXT", terminal));
  return withMemory(given, terminal, { isNew: true }, async ({ memory, file }) => {
    const input = { said, wait: "memory" };
    const kept = await stoppable((signal) => rememberOperation.run(memory, input, { signal }));
    const { turns, memories, derived, delayed } = kept;
    terminal.give({ db: file, scope: memory.scope, preset: memory.preset, ...kept });
    const ids = memories ?? [];
    terminal.say(
      terminal.text({
        en: `Kept${ids.length === 0 ? "" : ` as ${ids.join(", ")}`}. ${file}`,
        zh: `已记住${ids.length === 0 ? "" : `：${ids.join("、")}`}。${file}`,
      }),
    );
    if (delayed !== null)
      terminal.note(
        terminal.text({
          en: `It is in the journal, and not taken up yet: ${delayed}`,
          zh: `已写入日志，但尚未处理：${delayed}`,
        }),
      );
    else if (turns.length > 0 && derived !== null && derived.waiting > 0)
      terminal.note(
        terminal.text({
          en: `${derived.waiting} turns wait for a full window or the end of their session; neuromem flush takes them up.`,
          zh: `${derived.waiting} 轮在等窗口填满或会话结束；用 neuromem flush 立即处理。`,
        }),
      );
    return 0;
  });
}

function rememberable(given: Given, text: string): Rememberable {
  const speaker = given.text("speaker");
  const session = given.text("session");
  const happenedAt = moment(given, "at");
  const type = MEMORY_TYPES.find((one) => one === given.text("type"));
  const tags = list(given, "tags");
  const reasoning = given.text("reason");
  const isJudged = type !== undefined || tags !== undefined || reasoning !== undefined;
  return isJudged
    ? { judgment: text, reasoning, type, tags, speaker, session, happenedAt }
    : { text, speaker, session, happenedAt };
}
