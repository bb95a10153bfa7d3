/** Which few themes does a stretch of talk have? MemoryOS groups pages into segments by them. */
import { z } from "zod";
import { extractKeywords } from "../text/keywords.ts";
import { segmentTopics as segmentsOf } from "../text/segments.ts";
import { joinLines, linesSchema, printLines, saidIn } from "./dialogue.ts";
import { telling } from "./local/dialogue-facts.ts";
import { shortenSentences } from "./local/shorten.ts";
import { termsForm, textForm } from "./reply-forms.ts";
import { defineTask, type TaskLanguage } from "./task.ts";

const themeSchema = z.object({ theme: textForm, keywords: termsForm, content: textForm });

export const themes = defineTask({
  name: "themes",
  summary: "At most `limit` themes of a dialogue, each with keywords and a summary.",
  fallback:
    "The longest stretches of one topic, named by their first keyword and summarised by their most central lines.",
  input: z.object({
    lines: linesSchema,
    /** MemoryOS: 2. */
    limit: z.number().int().min(1),
  }),
  reply: z.object({ themes: z.array(themeSchema).min(1) }),
  prompt: "themes",
  placeholders: ["dialogue", "limit"],
  fill: (input) => ({ dialogue: printLines(input.lines), limit: input.limit }),
  about: (input) => joinLines(input.lines),
  local: ({ lines, limit }, { language }) => {
    const texts = lines.map(saidIn);
    const stretches = segmentsOf(texts).sort(
      (a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start,
    );
    const chosen = stretches.slice(0, limit).sort((a, b) => a.start - b.start);
    const speakers = new Set(lines.map(({ speaker }) => speaker.toLowerCase()));
    return { themes: chosen.map(({ start, end }) => themeOf(texts.slice(start, end), speakers, language)) };
  },
  settle: (reply, { limit }) => ({ themes: reply.themes.slice(0, limit) }),
  spoken: (reply) => reply.themes.map(({ content }) => content),
});

/** Who is spoken to is named in every stretch: a name of theirs would make all of them one theme. */
function themeOf(
  texts: readonly string[],
  speakers: ReadonlySet<string>,
  language: TaskLanguage,
): z.infer<typeof themeSchema> {
  const keywords = extractKeywords(texts.join("\n"), { limit: MOST_KEYWORDS + speakers.size })
    .map(({ text }) => text.trim())
    .filter((text) => text !== "" && !speakers.has(text.toLowerCase()))
    .slice(0, MOST_KEYWORDS);
  const content = shortenSentences(telling(texts), { words: 60, language, sentences: 3 });
  return { theme: keywords[0] ?? GENERAL[language], keywords, content: content || GENERAL[language] };
}

const MOST_KEYWORDS = 6;
const GENERAL = { en: "General", zh: "通用" } as const;
