/** In a form of one's own: a template for each memory, and one for the whole. */
import { z } from "zod";
import type { Found, FoundHit } from "../../../pipeline/question.ts";
import { oneLine } from "../../../tasks/dialogue.ts";
import { shownHits } from "../found-hits.ts";
import { momentStyle, type PrintOptions, printMoment } from "../print-moment.ts";
import { fillTemplate, templateSchema } from "./template-text.ts";
import { linesOf, TEXT_SECTIONS } from "./text-sections.ts";

const MEMORY_HOLES = ["text", "number", "date", "speaker", "kind", "score"] as const;
const HOLES = ["memories", "question", "date", ...TEXT_SECTIONS] as const;

export const templateOptions = z.strictObject({
  format_type: z.literal("template").describe("By templates of the preset's own."),
  memory_template: templateSchema(MEMORY_HOLES, "text").describe(
    "One memory, with holes {{text}}, {{number}}, {{date}}, {{speaker}}, {{kind}}, {{score}}.",
  ),
  template: templateSchema(HOLES, "memories").describe(
    "The whole, with holes {{memories}}, {{question}}, {{date}}, and one for each section: {{persona}}, {{traits}}, {{events}}, {{history}}, {{profile}}, {{portrait}}, {{overview}}.",
  ),
  separator: z.string().describe("What stands between two memories."),
  empty_text: z.string().describe("What stands for the memories where nothing was found."),
  date_style: momentStyle,
});
type Options = z.infer<typeof templateOptions>;

export function formatByTemplate(found: Found, options: Options): Found {
  const { hits, question, sections } = found;
  const { separator, empty_text } = options;
  const print: PrintOptions = { style: options.date_style, zone: question.zone, now: question.at };
  const memories = shownHits(hits).map((hit, place) =>
    printMemory(hit, place + 1, options.memory_template, print),
  );
  const lines = (name: (typeof TEXT_SECTIONS)[number]): string => linesOf(sections, name).join("\n");
  const context = fillTemplate<(typeof HOLES)[number]>(options.template, {
    memories: memories.length === 0 ? empty_text : memories.join(separator),
    question: question.text,
    // Today is never "just now".
    date: printMoment(question.at, question.text, {
      ...print,
      style: print.style === "minute" ? "minute" : "day",
    }),
    persona: lines("persona"),
    traits: lines("traits"),
    events: lines("events"),
    history: lines("history"),
    profile: lines("profile"),
    portrait: lines("portrait"),
    overview: lines("overview"),
    relations: lines("relations"),
  });
  return { ...found, context };
}

function printMemory(hit: FoundHit, number: number, template: string, print: PrintOptions): string {
  const { speaker } = hit.metadata;
  return fillTemplate<(typeof MEMORY_HOLES)[number]>(template, {
    text: oneLine(hit.text),
    number: String(number),
    date: printMoment(hit.happenedAt, hit.text, print),
    speaker: typeof speaker === "string" ? oneLine(speaker) : "",
    kind: hit.kind,
    score: hit.score.toFixed(2),
  });
}
