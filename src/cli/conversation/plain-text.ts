/**
 * Talk as people write it down: "Mia: I moved to Rome." on a line, also with a full-width colon, with "[2023-05-08 13:56]"
 * before it where the time is known; what follows without one was said no earlier. A line without a speaker goes on with
 * what was said before. A line that starts with # begins another session; a date in it is when.
 */
import { MemoryError } from "../../base/errors.ts";
import type { NewTurn, Role } from "../../base/turn.ts";
import { type Conversation, TALK_FORMATS } from "./conversation.ts";
import { findMoment, readMoment } from "./moment.ts";

const SAID = /^(?:\[([^\]]+)\]\s*)?([^\s:：[\]#][^:：[\]]{0,39})(?::\s+|：\s*)(.+)$/;
const ASSISTANTS = /^(assistant|ai|bot|chatgpt|claude|助手|助理|机器人)$/i;

/** `name`: the session until a heading gives another. */
export function readPlainText(text: string, file: string, name: string): Conversation {
  const turns: NewTurn[] = [];
  let session = name;
  let now: number | undefined;
  text.split(/\r?\n/).forEach((line, place) => {
    const said = line.trim();
    if (said === "") return;
    if (said.startsWith("#")) {
      session = said.replace(/^#+\s*/, "") || `${name} ${place + 1}`;
      now = findMoment(said);
      return;
    }
    const [whole, time, speaker = "", words = ""] = SAID.exec(said) ?? [];
    const last = turns.at(-1);
    if (whole === undefined) {
      if (last === undefined) throw noSpeaker(file, place + 1);
      turns[turns.length - 1] = { ...last, text: `${last.text}\n${said}` };
      return;
    }
    const happenedAt = time === undefined ? now : momentOf(time, file, place + 1);
    if (happenedAt !== undefined) now = Math.max(now ?? happenedAt, happenedAt);
    turns.push({ text: words, speaker, role: roleOf(speaker), session, happenedAt });
  });
  return { name: "", turns };
}

export function roleOf(speaker: string): Role {
  return ASSISTANTS.test(speaker) ? "assistant" : "user";
}

function momentOf(time: string, file: string, line: number): number {
  const moment = readMoment(time);
  if (moment !== undefined) return moment;
  throw new MemoryError(
    "input_invalid",
    `${file}:${line}: [${time}] is no time. Valid: [2023-05-08] or [2023-05-08 13:56].`,
  );
}

function noSpeaker(file: string, line: number): MemoryError {
  return new MemoryError(
    "input_invalid",
    `${file}:${line}: Nobody is named who says this. Valid: "Speaker: text" lines, or a file in one of the formats ${TALK_FORMATS.join(", ")}.`,
  );
}
