/** What the commands of a chat do with the memory. */
import { MemoryError } from "../../base/errors.ts";
import type { Forgettable } from "../../runtime/forget.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import { sayErasure } from "../erasure-text.ts";
import { sayHit } from "../memory-text.ts";
import { sayStatus } from "../status-text.ts";
import { TURNS, underway } from "../underway.ts";
import type { Opened } from "../with-memory.ts";
import type { Talk } from "./talk.ts";

/** So many hits are explained. */
const EXPLAINED = 8;

export async function tellWhy(talk: Talk): Promise<void> {
  const { memory, storage } = memoryOf(talk);
  const { last, terminal } = talk;
  const { say, text, paint } = terminal;
  const hits = last?.recalled?.hits ?? [];
  if (last === undefined) return say(text({ en: "Nothing was answered yet.", zh: "还没有回答过。" }));
  if (hits.length === 0)
    return say(text({ en: "Nothing was recalled for it.", zh: "没有为它回忆到任何内容。" }));
  const shown = hits.slice(0, EXPLAINED);
  const sources = await turnSources(storage, memory.scope, shown);
  shown.forEach((hit, place) => {
    sayHit(hit, sources[place], terminal);
    say(paint("dim", `        ${hit.id}`));
  });
  if (hits.length > shown.length) say(paint("dim", `+${hits.length - shown.length}`));
}

export async function showContext(words: string, talk: Talk): Promise<void> {
  const { memory } = memoryOf(talk);
  const { last, session } = talk;
  const { say, text } = talk.terminal;
  const shown = words === "" ? last?.context?.text : (await memory.context(words, { session })).text;
  say(shown === undefined || shown === "" ? text({ en: "(nothing)", zh: "（没有）" }) : shown);
}

export async function rememberIt(words: string, talk: Talk): Promise<void> {
  if (words === "") throw missing("/remember TEXT");
  const { memory } = memoryOf(talk);
  const { session, terminal } = talk;
  const { memories, delayed } = await memory.remember({ judgment: words, session }, { wait: "memory" });
  const ids = (memories ?? []).join(", ");
  terminal.say(terminal.text({ en: `Kept. ${ids}`, zh: `已记住。${ids}` }).trim());
  if (delayed !== null) terminal.note(delayed);
}

export async function forgetIt(words: string, talk: Talk): Promise<void> {
  const { memory } = memoryOf(talk);
  if (words === "") throw missing("/forget ID, /forget last or /forget session");
  const what = forgettable(words, talk);
  const report = await memory.forget(what);
  // What is forgotten is not to come back through the conversation that is shown to the model.
  if (words === "session") talk.loop.forget("all");
  else talk.loop.forget(words === "last" ? "last" : report.turns);
  sayErasure(report, talk.terminal);
  if (words !== "session" && words !== "last") return;
  talk.last = undefined;
}

function forgettable(words: string, { loop, session }: Talk): Forgettable {
  if (words === "session") return { session };
  if (words !== "last") return { id: words };
  const turns = loop.lastRecorded?.turns ?? [];
  if (turns.length > 0) return { turns };
  throw new MemoryError("input_invalid", "Nothing was recorded last. Valid: /forget ID, /forget session.");
}

export async function switchPreset(words: string, talk: Talk, stop: AbortSignal): Promise<void> {
  const { memory } = memoryOf(talk);
  if (words === "") throw missing("/preset NAME");
  const { terminal } = talk;
  const { counts: before } = await memory.status();
  const derived = await underway(terminal, TURNS, (way) => {
    way.begin(before.turns);
    const signal = AbortSignal.any([way.signal, stop]);
    return memory.rebuild({ preset: words, signal, onWindow: (window) => way.done(window.turns.length) });
  });
  const { counts } = await memory.status();
  terminal.say(
    terminal.text({
      en: `${memory.preset} is at work: ${derived.turns} turns, ${counts.memories} memories.`,
      zh: `现在使用 ${memory.preset}：${derived.turns} 轮，${counts.memories} 条记忆。`,
    }),
  );
}

export async function showStatus(talk: Talk): Promise<void> {
  const { memory, file } = memoryOf(talk);
  sayStatus({ file, scope: memory.scope, status: await memory.status() }, talk.terminal);
}

function memoryOf({ opened }: Talk): Opened {
  if (opened !== undefined) return opened;
  throw new MemoryError(
    "input_invalid",
    "This chat is without a memory. Valid: neuromem chat without --no-memory and DISABLE_MEMORY.",
  );
}

function missing(usage: string): MemoryError {
  return new MemoryError("input_invalid", `Something is missing. Valid: ${usage}.`);
}
