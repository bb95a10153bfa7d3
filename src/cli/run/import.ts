/** What somebody brings along in a file, into the memory: talk and judged memories into the journal, a bundle as it is. */
import { derive, waitingTurns } from "../../runtime/derive.ts";
import type { Given } from "../command.ts";
import { FORMATS, TALK_FORMATS } from "../conversation/conversation.ts";
import { isBundleFile } from "../conversation/is-bundle.ts";
import { readConversation } from "../conversation/read.ts";
import { importBundleFile } from "../import-bundle.ts";
import { importTurns } from "../import-turns.ts";
import { openMemory } from "../open-memory.ts";
import { takeUp, WAITING } from "../take-up.ts";
import type { Terminal } from "../terminal.ts";

export async function importFile(given: Given, terminal: Terminal): Promise<number> {
  const file = given.argument("FILE");
  const asked = FORMATS.find((one) => one === given.text("format"));
  const isBundle = asked === "bundle" || (asked === undefined && (await isBundleFile(file)));
  return isBundle ? importBundleFile(file, given, terminal) : importTalk(file, given, terminal);
}

async function importTalk(file: string, given: Given, terminal: Terminal): Promise<number> {
  const { turns, format } = await readConversation(file, {
    format: TALK_FORMATS.find((one) => one === given.text("format")),
    conversation: given.text("conversation"),
    user: given.text("user"),
  });
  const open = await openMemory(given, terminal, { isNew: true });
  try {
    const { storage, memory, scope } = open;
    const imported = await importTurns(storage, scope, turns, () => terminal.note(terminal.text(WAITING)));
    const finish = given.isSet("finish");
    const derived = await takeUp(open, terminal, {
      total: () => waitingTurns(memory, storage, scope),
      run: (how) => derive(memory, storage, scope, { ...how, finish }),
    });
    const { preset } = memory;
    const entries = await open.count();
    terminal.give({
      ...{ file, format, db: open.file, scope, preset: preset.name, model: open.model },
      ...{ ...imported, ...derived, entries },
    });
    terminal.say(
      terminal.text({
        en: `${imported.added} turns added, ${imported.known} known before; ${derived.turns} taken up by ${preset.name} in ${derived.windows} windows: ${entries} memories. ${open.file}`,
        zh: `新增 ${imported.added} 轮，已有 ${imported.known} 轮；${preset.name} 分 ${derived.windows} 个窗口处理了 ${derived.turns} 轮：共 ${entries} 条记忆。${open.file}`,
      }),
    );
    if (derived.waiting > 0) terminal.note(terminal.text(waitingText(derived.waiting)));
    return 0;
  } finally {
    await open.close();
  }
}

export function waitingText(waiting: number): { readonly en: string; readonly zh: string } {
  return {
    en: `${waiting} turns wait for a full window or the end of their session; --finish takes them up.`,
    zh: `${waiting} 轮在等窗口填满或会话结束；加 --finish 立即处理。`,
  };
}
