/** What happened on a day, how did the person seem, and how should one answer them? MemoryBank's two daily analyses in one. */
import { z } from "zod";
import { scoreEmotions } from "../text/emotions.ts";
import { joinLines, linesSchema, printLines, saidIn } from "./dialogue.ts";
import { dialogueFacts } from "./local/dialogue-facts.ts";
import { moodOf } from "./local/mood.ts";
import { personaOf } from "./local/persona.ts";
import { shortenSentences } from "./local/shorten.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

export const summarizeDay = defineTask({
  name: "summarize_day",
  summary:
    "The events of a day's dialogue, the mood and personality that one speaker showed, and a strategy for answering them.",
  fallback:
    "The most central facts, the strongest emotions with what was said about oneself, and the advice that fits the mood.",
  input: z.object({
    /** Which day, as people write it. */
    date: z.string(),
    /** Whose mood and personality. */
    speaker: z.string(),
    lines: linesSchema,
  }),
  reply: z.object({ summary: textForm, personality: textForm, strategy: textForm }),
  prompt: "summarize_day",
  placeholders: ["date", "speaker", "dialogue"],
  fill: (input) => ({ date: input.date, speaker: input.speaker, dialogue: printLines(input.lines) }),
  about: (input) => joinLines(input.lines),
  local: async ({ speaker, lines }, { language }) => {
    const facts = (await dialogueFacts(lines)).map(({ text }) => text);
    const summary = shortenSentences(facts.length > 0 ? facts : lines.map(saidIn), {
      words: 80,
      language,
      sentences: 5,
    });
    const own = joinLines(lines.filter((line) => line.speaker === speaker));
    const mood = moodOf(scoreEmotions(own), language);
    const traits = (await personaOf(speaker, lines)).map(({ text }) => text);
    const persona = shortenSentences(traits, { words: 40, language, sentences: 3 });
    return {
      summary: summary || joinLines(lines).trim() || "…",
      personality: [mood.words, persona].filter((part) => part !== "").join(language === "zh" ? "" : " "),
      strategy: mood.strategy,
    };
  },
  spoken: (reply) => [reply.summary, reply.personality],
});
