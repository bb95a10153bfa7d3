/** What follows from several memories together, and from which? The insights of Generative Agents, with their evidence. */
import { z } from "zod";
import { splitSentences } from "../text/sentences.ts";
import { printNumbered } from "./dialogue.ts";
import { tellingSentences } from "./local/dialogue-facts.ts";
import { focalTopics } from "./local/focal-topics.ts";
import { rankByRelevance } from "./local/relevance.ts";
import { saidBy } from "./local/said-by.ts";
import { shortenSentences } from "./local/shorten.ts";
import { numbersForm, textForm, unknownNumbers } from "./reply-forms.ts";
import { defineTask, type TaskLanguage } from "./task.ts";

const insightSchema = z.preprocess(
  fromSentence,
  z.object({
    insight: textForm,
    /** Numbers of the statements it follows from. */
    evidence: numbersForm,
  }),
);

export const reflectInsights = defineTask({
  name: "reflect_insights",
  summary:
    "At most `count` insights that follow from some statements together, each with the numbers of its evidence.",
  fallback:
    "For each thing that several statements share, what the most central of them tell, with all that tell something as evidence.",
  input: z.object({
    statements: z.array(z.string()).min(1),
    /** What the insights should bear on; "" for anything. */
    question: z.string().default(""),
    /** Generative Agents: 5. */
    count: z.number().int().min(1),
  }),
  reply: z.object({ insights: z.array(insightSchema) }),
  prompt: "reflect_insights",
  placeholders: ["statements", "question", "count"],
  fill: (input) => ({
    statements: printNumbered(input.statements),
    question: input.question,
    count: input.count,
  }),
  about: (input) => input.statements.join("\n"),
  local: async ({ statements, question, count }, { language }) => {
    const topics = await focalTopics(statements, statements.length);
    const bearing = new Set(bearingOn(question, statements));
    const shared = topics
      .filter(
        (topic) => topic.statements.length > 1 && topic.statements.some((number) => bearing.has(number)),
      )
      .slice(0, count);
    const told = new Set<string>();
    return {
      insights: shared.flatMap((topic) => {
        const telling = topic.statements
          .map((number) => ({ number, text: toldIn(statements[number] ?? "", language) }))
          .filter(({ text }) => text !== "");
        // What follows, follows from several.
        if (telling.length < 2) return [];
        const texts = telling.map(({ text }) => text);
        const said = shortenSentences(texts, { words: 40, language, sentences: 2 });
        // The same sentences under another heading are no other insight.
        const sentences = splitSentences(said).map(({ text }) => text);
        if (sentences.every((sentence) => told.has(sentence))) return [];
        for (const sentence of sentences) told.add(sentence);
        // "Mia: …" would say that it was Mia who said so.
        const insight = language === "zh" ? `关于${topic.topic}：${said}` : `About ${topic.topic}: ${said}`;
        return [{ insight, evidence: telling.map(({ number }) => number) }];
      }),
    };
  },
  problems: (reply, input) => [
    ...unknownNumbers(
      reply.insights.flatMap(({ evidence }) => evidence),
      input.statements.length,
      "statement",
    ),
    ...(reply.insights.some(({ evidence }) => evidence.length === 0)
      ? ["Every insight needs evidence: numbers of statements."]
      : []),
  ],
  settle: ({ insights }, { count }) => ({ insights: insights.slice(0, count) }),
  spoken: (reply) => reply.insights.map(({ insight }) => insight),
});

/** What a statement tells, with who said it; "" where it only greets, praises or asks. */
function toldIn(statement: string, language: TaskLanguage): string {
  const { who, said } = saidBy(statement);
  const told = tellingSentences(said).join(language === "zh" ? "" : " ");
  return who === "" || told === "" ? told : `${who}: ${told}`;
}

/** The statements that share a word with the question; all of them without one, or if none does. */
function bearingOn(question: string, statements: readonly string[]): number[] {
  const ranked = question.trim() === "" ? [] : rankByRelevance(question, statements);
  const related = ranked.filter(({ shared }) => shared.length > 0).map(({ index }) => index);
  return related.length > 0 ? related : [...statements.keys()];
}

/** The published form: "insight (because of 1, 5, 3)". */
function fromSentence(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const found =
    /^(?:\d+[.)]\s*)?(?<insight>.+?)\s*[(（](?:because of|因为|依据)\s*(?<evidence>[^)）]*)[)）]\s*$/iu.exec(
      value,
    );
  const numbers = [...(found?.groups?.evidence ?? "").matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return { insight: found?.groups?.insight ?? value, evidence: numbers };
}
