/** Who is somebody, seen over all days? MemoryBank's global portrait, made of the daily ones. */
import { z } from "zod";
import { splitSentences } from "../text/sentences.ts";
import { oneLine } from "./dialogue.ts";
import { isMood } from "./local/mood.ts";
import { shortenSentences } from "./local/shorten.ts";
import { textForm } from "./reply-forms.ts";
import { contentWords } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

const portraitSchema = z.object({ date: z.string(), personality: z.string(), strategy: z.string() });

export const mergePortraits = defineTask({
  name: "merge_portraits",
  summary: "One portrait of a speaker (personality, and how to answer them) out of those of single days.",
  fallback:
    "The newest mood, the most central sentences about the personality; how to answer, as it was newest.",
  input: z.object({
    speaker: z.string(),
    /** Oldest first. */
    portraits: z.array(portraitSchema).min(1),
  }),
  reply: z.object({ personality: textForm, strategy: textForm }),
  prompt: "merge_portraits",
  placeholders: ["speaker", "portraits"],
  fill: ({ speaker, portraits }) => ({
    speaker,
    portraits: portraits
      .map(({ date, personality, strategy }) => oneLine(`[${date}] ${personality} / ${strategy}`))
      .join("\n"),
  }),
  about: ({ portraits }) => portraits.map(({ personality }) => personality).join("\n"),
  local: ({ portraits }, { language }) => {
    const sentences = portraits.flatMap(({ personality }) => splitSentences(personality));
    const texts = sentences.map(({ text }) => text);
    const mood = texts.findLast(isMood);
    const traits = texts.filter((text) => !isMood(text));
    // Said in other order it is said again.
    const byWords = new Map(traits.map((text) => [[...contentWords(text)].sort().join(" "), text]));
    const told = [...(mood === undefined ? [] : [mood]), ...byWords.values()];
    const personality = shortenSentences(told, { words: 60, language, sentences: 5 });
    const newest = portraits.findLast(({ strategy }) => strategy.trim() !== "");
    return { personality: personality || told.join(" ") || "…", strategy: newest?.strategy || "…" };
  },
  spoken: (reply) => [reply.personality, reply.strategy],
});
