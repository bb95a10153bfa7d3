/** What can be typed in a chat besides talk? Rows of a table, as for the command line itself. */
import { MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { padEnd } from "../text-width.ts";
import type { Words } from "../words.ts";
import { forgetIt, rememberIt, showContext, showStatus, switchPreset, tellWhy } from "./slash-actions.ts";
import type { Talk } from "./talk.ts";

interface SlashCommand {
  readonly name: string;
  /** What others call it. */
  readonly alias?: string;
  /** What stands behind it, as help writes it. */
  readonly takes?: string;
  readonly summary: Words;
  run(words: string, talk: Talk, signal: AbortSignal): Promise<void> | void;
}

const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: "why",
    summary: { en: "what was recalled for the last answer, and why", zh: "上一个回答回忆了什么、为什么" },
    run: (_, talk) => tellWhy(talk),
  },
  {
    name: "context",
    takes: "[TEXT]",
    summary: {
      en: "the block the model was given; with TEXT, what it would be given",
      zh: "交给模型的记忆文本；加 TEXT 则显示它会得到的",
    },
    run: showContext,
  },
  {
    name: "remember",
    takes: "TEXT",
    summary: { en: "keep it as it is worded", zh: "原样记住" },
    run: rememberIt,
  },
  {
    name: "forget",
    takes: "ID|last|session",
    summary: {
      en: "erase a memory, the last exchange or this whole conversation",
      zh: "删除一条记忆、上一轮对话或整个会话",
    },
    run: forgetIt,
  },
  {
    name: "incognito",
    summary: { en: "record nothing until it is switched off again", zh: "不再记录，直到再次切换" },
    run: (_, talk) => toggleIncognito(talk),
  },
  {
    name: "preset",
    takes: "NAME",
    summary: { en: "another design over the same journal", zh: "对同一日志换一个设计" },
    run: switchPreset,
  },
  {
    name: "status",
    summary: { en: "what is in the memory and what waits", zh: "记忆的现状" },
    run: (_, talk) => showStatus(talk),
  },
  {
    name: "help",
    summary: { en: "this list", zh: "显示本列表" },
    run: (_, talk) => help(talk),
  },
  {
    name: "exit",
    alias: "quit",
    summary: { en: "leave; /quit and Ctrl-D do, too", zh: "离开；也可用 /quit 或按 Ctrl-D" },
    run(_, talk) {
      talk.isOver = true;
    },
  },
];

/** `line` begins with a slash. */
export async function runSlash(line: string, talk: Talk, signal: AbortSignal): Promise<void> {
  const [, name = "", words = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = SLASH_COMMANDS.find((one) => one.name === name || one.alias === name);
  if (command === undefined) {
    const names = SLASH_COMMANDS.map((one) => `/${one.name}`);
    throw new MemoryError("unknown_name", `There is no "/${name}". ${validNames(`/${name}`, names)}`);
  }
  await command.run(words.trim(), talk, signal);
}

function help({ terminal: { say, text, paint } }: Talk): void {
  const rows = SLASH_COMMANDS.map(
    ({ name, takes = "", summary }) => [`/${name} ${takes}`.trim(), text(summary)] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  for (const [left, right] of rows) say(`  ${paint("cyan", padEnd(left, width))}  ${right}`);
}

function toggleIncognito({ loop, terminal: { say, text } }: Talk): void {
  loop.isIncognito = !loop.isIncognito;
  say(
    loop.isIncognito
      ? text({ en: "From here on nothing is recorded.", zh: "从现在起不再记录。" })
      : text({ en: "From here on it is recorded again.", zh: "从现在起恢复记录。" }),
  );
}
