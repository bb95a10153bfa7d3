/** A chat with a model that remembers: lines in, answers out as they are written. */
import { ERROR_KINDS, MemoryError } from "../../base/errors.ts";
import { silent } from "../../base/trace.ts";
import type { ChatModel } from "../../models/model.ts";
import { loadPreset } from "../../preset/load.ts";
import { createAgentLoop, type Said } from "../../runtime/agent-loop.ts";
import { type LineReader, openLines } from "../chat/line-reader.ts";
import { runSlash } from "../chat/slash-commands.ts";
import type { Talk } from "../chat/talk.ts";
import { chosen, readChoices } from "../choices.ts";
import { chosenModel } from "../chosen-model.ts";
import type { Given } from "../command.ts";
import { memoryFile } from "../memory-file.ts";
import { minuteOf } from "../memory-text.ts";
import type { Terminal } from "../terminal.ts";
import { type Opened, withMemory } from "../with-memory.ts";
import type { Words } from "../words.ts";
import { QUOTED } from "./ask.ts";

const SYSTEM = {
  en: "You are a helpful assistant. You remember earlier conversations with the user.",
  zh: "你是一个乐于助人的助手，记得与用户以前的对话。",
};

export async function chat(given: Given, terminal: Terminal): Promise<number> {
  if (given.isSet("no-memory") || isOn(terminal.env.DISABLE_MEMORY)) {
    const choices = chosen(given, readChoices(memoryFile(given.text("db"), terminal.env)));
    const model = chosenModel(choices, await loadPreset(choices.preset), terminal.env, silent);
    return talk(given, terminal, undefined, model);
  }
  const opening = { isNew: true, background: true, isQuiet: true };
  return withMemory(given, terminal, opening, (opened) => talk(given, terminal, opened, opened.model));
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}

async function talk(
  given: Given,
  terminal: Terminal,
  opened: Opened | undefined,
  model: ChatModel | undefined,
): Promise<number> {
  const session = given.text("session") ?? `chat ${minuteOf(Date.now())}`;
  const system = given.text("system") ?? terminal.text(SYSTEM);
  const onTrouble = (error: unknown): void => terminal.note(messageOf(error));
  // Nobody waits at a pipe, and a script that asks what it just said wants it found.
  const wait = terminal.isInteractive ? undefined : "memory";
  const loop = createAgentLoop({ memory: opened?.memory, model, system, session, wait, onTrouble });
  const state: Talk = { terminal, opened, loop, session, last: undefined, isOver: false };
  greet(state, model);
  const exchanges: unknown[] = [];
  const keys = pressing(state);
  const lines = openLines(terminal, () => keys.press(lines));
  try {
    lines.prompt(promptOf(state));
    for await (const line of lines) {
      if (keys.isLeaving()) break;
      const text = line.trim();
      if (text !== "") await keys.answering((signal) => take(text, state, signal, exchanges));
      if (state.isOver || keys.isLeaving()) break;
      lines.prompt(promptOf(state));
    }
  } finally {
    lines.close();
  }
  terminal.give({ session, memory: opened !== undefined, exchanges });
  return keys.isLeaving() ? ERROR_KINDS.aborted.exit : 0;
}

/** One line: a command, or something to be answered. What goes wrong is told, and the chat goes on. */
async function take(text: string, state: Talk, signal: AbortSignal, exchanges: unknown[]): Promise<void> {
  const { terminal, loop } = state;
  try {
    if (text.startsWith("/")) return await runSlash(text, state, signal);
    let isBegun = false;
    const onText = (piece: string): void => {
      isBegun = true;
      terminal.write(piece);
    };
    const said = await loop.say(text, { onText, signal });
    state.last = said;
    if (isBegun) terminal.say();
    exchanges.push(asData(text, said));
    sayHow(said, state);
  } catch (error) {
    terminal.note(terminal.paint("red", messageOf(error)));
  }
}

const UNANSWERED = {
  en: "(nothing in memory answers that; there is no model to talk with)",
  zh: "（记忆里没有能回答的内容；没有模型可以对话）",
};
const NOTED = {
  en: "(noted; there is no model to talk with, so only questions are answered)",
  zh: "（已记下；没有模型可以对话，只回答问题）",
};
const NOT_NOTED = {
  en: "(there is no model to talk with, so only questions are answered)",
  zh: "（没有模型可以对话，只回答问题）",
};

function sayHow(said: Said, { terminal, opened }: Talk): void {
  const { path, isStopped, recorded } = said;
  const { say, text, paint, note } = terminal;
  if (isStopped) say(paint("dim", text({ en: "(stopped)", zh: "（已停止）" })));
  if (path === "local" && !isStopped) say(paint("dim", text(howLocally(said))));
  if (path === "nobody")
    say(
      text({
        en: "There is neither a model nor a memory to answer. --model names a model.",
        zh: "既没有模型也没有记忆可以回答。用 --model 指定模型。",
      }),
    );
  if (opened !== undefined && recorded?.delayed != null) note(recorded.delayed);
}

/** By the memory alone: quoted, not known, or nothing was asked. */
function howLocally({ answer, isUnknown, recorded }: Said): Words {
  if (!isUnknown) return QUOTED;
  if (answer !== "") return UNANSWERED;
  return recorded === null ? NOT_NOTED : NOTED;
}

/** The first Ctrl-C stops an answer, or says how to leave; the second leaves. */
function pressing({ terminal }: Talk) {
  let pressed = 0;
  let current: AbortController | undefined;
  return {
    isLeaving: () => pressed > 1,
    press(lines: LineReader) {
      pressed++;
      current?.abort();
      if (pressed > 1) lines.close();
      else if (current === undefined)
        terminal.note(terminal.text({ en: "Ctrl-C again leaves.", zh: "再按一次 Ctrl-C 离开。" }));
    },
    async answering(run: (signal: AbortSignal) => Promise<void>) {
      pressed = 0;
      current = new AbortController();
      await run(current.signal);
      current = undefined;
      // The one that stopped the answer has done its work.
      if (pressed === 1) pressed = 0;
    },
  };
}

function greet({ terminal, opened }: Talk, model: ChatModel | undefined): void {
  const { text, note, paint } = terminal;
  const who = model?.id ?? text({ en: "no model: memory is quoted", zh: "没有模型：引用记忆作答" });
  const what =
    opened === undefined
      ? text({ en: "without a memory", zh: "不用记忆" })
      : `${opened.memory.preset} · ${opened.memory.scope}`;
  note(paint("dim", `${who} · ${what} · ${text({ en: "/help, /exit", zh: "/help 帮助，/exit 离开" })}`));
}

function promptOf({ loop, terminal: { text, paint } }: Talk): string {
  const secret = loop.isIncognito ? text({ en: " (incognito)", zh: "（无痕）" }) : "";
  return `${paint("cyan", `${text({ en: "you", zh: "我" })}${secret}>`)} `;
}

function asData(user: string, { answer, path, isStopped, recalled, recorded }: Said): unknown {
  const hits = recalled?.hits ?? [];
  return {
    ...{ user, answer, path, isStopped },
    recalled: hits.map(({ id, text, score, scoreParts, happenedAt }) => ({
      ...{ id, text, score, scoreParts, happenedAt },
    })),
    recorded: recorded?.turns ?? [],
  };
}

function messageOf(error: unknown): string {
  return MemoryError.is(error) || error instanceof Error ? error.message : String(error);
}
