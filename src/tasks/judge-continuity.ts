/** Does what is said now go on with what was said before? MemoryOS chains pages by it, SeCom appends to a segment. */
import { z } from "zod";
import { simplify } from "../text/simplify.ts";
import { announcesShift } from "../text/topic-shift.ts";
import { flagForm } from "./reply-forms.ts";
import { contentWords, overlapOf } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

export const judgeContinuity = defineTask({
  name: "judge_continuity",
  summary: "Whether a new exchange goes on with the topic of the one before it.",
  fallback: "A content word in common, or an opening that refers back, and no announcement of another topic.",
  input: z.object({ previous: z.string(), next: z.string() }),
  reply: z.object({ continuous: flagForm }),
  prompt: "judge_continuity",
  placeholders: ["previous", "next"],
  fill: (input) => ({ previous: input.previous, next: input.next }),
  about: (input) => input.next,
  obvious: (input) => (input.previous.trim() === "" ? { continuous: false } : undefined),
  local: ({ previous, next }) => {
    if (announcesShift(next)) return { continuous: false };
    // Who speaks is no topic: the same two go on speaking, and name each other, whatever they speak of.
    const speakers = contentWords([previous, next].flatMap(speakersIn).join("\n"));
    const words = (page: string): Set<string> =>
      new Set([...contentWords(page.replace(SPEAKER, ""))].filter((word) => !speakers.has(word)));
    const { shared, ofFirst, ofSecond } = overlapOf(words(previous), words(next));
    const isShared = shared >= 2 || (shared === 1 && Math.max(ofFirst, ofSecond) >= SHARE);
    return { continuous: isShared || BACK.test(simplify(next).trim().replace(SPEAKER, "")) };
  },
});

/** "Mia: …" at the beginning of a line. */
const SPEAKER = /^[^\s:：][^:：\n]{0,40}[:：]\s/gmu;

function speakersIn(page: string): string[] {
  return page.match(SPEAKER) ?? [];
}

/** Of the shorter text's words, if only one is shared. */
const SHARE = 0.2;
const BACK =
  /^(?:(?:and|but|so|then|because|also|yes|yeah|no|why|how come|what about (?:it|that|them)|really|exactly|that|it|they|he|she|those|these)\b|那|这|它|他|她|所以|但是|不过|然后|而且|还有|为什么|怎么|真的|是啊|对啊|没错|因为)/iu;
