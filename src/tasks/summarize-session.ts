/** What was a session of talk about, in so many words? LD-Agent keeps 20 of them, LoCoMo's summaries about 180. */
import { z } from "zod";
import { splitWords } from "../text/words.ts";
import { joinLines, linesSchema, printLines, saidIn } from "./dialogue.ts";
import { dialogueFacts, telling } from "./local/dialogue-facts.ts";
import { scoreImportance } from "./local/importance.ts";
import { shortenSentences } from "./local/shorten.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask, type TaskLanguage } from "./task.ts";

export const summarizeSession = defineTask({
  name: "summarize_session",
  summary: "What the speakers of a session told and did, in at most `max_words` words, with their names.",
  fallback: "The facts that speakers told of themselves and that matter most, in their order.",
  input: z.object({ lines: linesSchema, max_words: z.number().int().min(1) }),
  reply: z.object({ summary: textForm }),
  prompt: "summarize_session",
  placeholders: ["dialogue", "max_words"],
  fill: (input) => ({ dialogue: printLines(input.lines), max_words: input.max_words }),
  about: (input) => joinLines(input.lines),
  local: async ({ lines, max_words }, { language }) => {
    const facts = await dialogueFacts(lines);
    // Who tells of themselves tells something; the rest is mostly praise of the other.
    const own = facts.filter(({ said }) => OF_ONESELF.test(said));
    const told = (own.length > 0 ? own : facts).map(({ text }) => text);
    const summary = weightiest(told.length > 0 ? told : telling(lines.map(saidIn)), max_words, language);
    return { summary: summary || joinLines(lines).trim() || "…" };
  },
  spoken: (reply) => [reply.summary],
});

const OF_ONESELF = /\b(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our)\b|[我咱]/u;

/** Those that matter most, as many as there is room for; a short one that fits is better than the beginning of a long one. */
function weightiest(told: readonly string[], words: number, language: TaskLanguage): string {
  const byWeight = [...told.keys()].sort(
    (a, b) => scoreImportance(told[b] ?? "") - scoreImportance(told[a] ?? "") || a - b,
  );
  const chosen: number[] = [];
  let room = words;
  for (const place of byWeight) {
    const length = splitWords(told[place] ?? "").length;
    if (length > room) continue;
    chosen.push(place);
    room -= length;
  }
  const kept = chosen.length > 0 ? chosen.sort((a, b) => a - b) : byWeight.slice(0, 1);
  // Whole texts: only the one that is too long by itself is cut.
  return shortenSentences(
    kept.map((place) => told[place] ?? ""),
    { words, language },
  );
}
