/** What somebody brings along in a file, into the memory: talk and judged memories into the journal, a bundle as it is. */
import { flushOperation } from "../../operations/rows/flush.ts";
import type { Given } from "../command.ts";
import { FORMATS, TALK_FORMATS } from "../conversation/conversation.ts";
import { isBundleFile } from "../conversation/is-bundle.ts";
import { readConversation } from "../conversation/read.ts";
import { importBundleFile } from "../import-bundle.ts";
import { importTurns } from "../import-turns.ts";
import type { Terminal } from "../terminal.ts";
import { TURNS, type Underway, underway, WAITING } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

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
  let way: Underway | undefined;
  const opening = {
    isNew: true,
    onWindow: (_: unknown, done: { readonly turns: readonly unknown[] }) => way?.done(done.turns.length),
  };
  return withMemory(given, terminal, opening, async ({ memory, storage, model, file: db }) => {
    const { scope, preset } = memory;
    // Straight to the journal, where what a file brought before is known: no call of the table does that.
    const imported = await importTurns(storage, scope, turns, () => terminal.note(terminal.text(WAITING)));
    const before = await memory.status();
    if (before.work?.state === "running") terminal.note(terminal.text(WAITING));
    const derived = await underway(terminal, TURNS, (begun) => {
      way = begun;
      begun.begin(before.waiting);
      return flushOperation.run(memory, { finish: given.isSet("finish") }, { signal: begun.signal });
    });
    const { memories: entries } = (await memory.status()).counts;
    terminal.give({
      ...{ file, format, db, scope, preset, model: model?.id ?? null },
      ...{ ...imported, ...derived, entries },
    });
    terminal.say(
      terminal.text({
        en: `${imported.added} turns added, ${imported.known} known before; ${derived.turns} taken up by ${preset} in ${derived.windows} windows: ${entries} memories. ${db}`,
        zh: `新增 ${imported.added} 轮，已有 ${imported.known} 轮；${preset} 分 ${derived.windows} 个窗口处理了 ${derived.turns} 轮：共 ${entries} 条记忆。${db}`,
      }),
    );
    if (derived.waiting > 0) terminal.note(terminal.text(waitingText(derived.waiting)));
    return 0;
  });
}

function waitingText(waiting: number): { readonly en: string; readonly zh: string } {
  return {
    en: `${waiting} turns wait for a full window or the end of their session; --finish takes them up.`,
    zh: `${waiting} 轮在等窗口填满或会话结束；加 --finish 立即处理。`,
  };
}
