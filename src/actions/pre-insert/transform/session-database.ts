/**
 * The three databases that LoCoMo (Maharana et al., ACL 2024) retrieves from: of each session its lines as they were said,
 * the facts it tells about its speakers, or a summary of it. Each text begins with its date, in its own language, because
 * questions ask for dates and the texts alone say "yesterday".
 */
import { z } from "zod";
import type { Turn } from "../../../base/turn.ts";
import type { Claims, PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { extractFacts } from "../../../tasks/extract-facts.ts";
import { summarizeSession } from "../../../tasks/summarize-session.ts";
import { detectLanguage } from "../../../text/language.ts";
import { momentStyle, printMoment } from "../../post-retrieval/print-moment.ts";
import { linesOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import { recast } from "../recast.ts";
import { factExtract } from "./fact-extract.ts";

export const sessionDatabaseOptions = z.strictObject({
  transform_type: z
    .literal("session_database")
    .describe("Keeps lines, facts or a summary of a session, each with its date (LoCoMo)."),
  database: z
    .enum(["dialog", "observation", "summary"])
    .describe("dialog: each line as it was said; observation: each fact; summary: one text for a packet."),
  date_style: momentStyle
    .exclude(["ago"])
    .describe("How the date is written: the day, or the day and minute."),
  fact_prompt: promptOption("the facts of a dialogue"),
  summarize_prompt: promptOption("a summary of a session"),
  summary_max_words: z.int().min(1).describe("Most words of a summary."),
});
type Options = z.infer<typeof sessionDatabaseOptions>;

const METHODS = { dialog: "default", observation: "fact_insert", summary: "summary_insert" } as const;

export function sessionDatabaseClaims({ database, fact_prompt, summarize_prompt }: Options): Claims {
  const prompts = {
    dialog: [],
    observation: [{ task: extractFacts, prompt: fact_prompt }],
    summary: [{ task: summarizeSession, prompt: summarize_prompt }],
  };
  return { insertMethods: [METHODS[database]], prompts: prompts[database] };
}

export async function sessionDatabase(
  drafts: readonly Draft[],
  context: PreInsertContext,
  options: Options,
): Promise<Draft[]> {
  const { database, summary_max_words: maxWords } = options;
  switch (database) {
    case "dialog":
      return drafts.flatMap((draft) => spokenLines(draft, options));
    case "observation": {
      const facts = await factExtract(drafts, context, { ...options, ...AS_SENTENCES });
      return facts.map((fact) => ({ ...fact, content: dated(fact.content, fact, options) }));
    }
    case "summary":
      return Promise.all(drafts.map((draft) => summed(draft, context, options, maxWords)));
  }
}

const AS_SENTENCES = { transform_type: "fact_extract", fact_format: "statement" } as const;

/** (8 May 2023) Ann said, "…" and shared: a photo of a dog. */
function spokenLines(draft: Draft, options: Options): Draft[] {
  return linesOf(draft).map(({ line, text, turns, sources }) => {
    const own = { turns, happenedAt: line.happenedAt ?? draft.happenedAt };
    const date = dateOf(text, own, options);
    const { speaker } = line;
    return recast(draft, {
      content: PHRASES[detectLanguage(text) === "zh" ? "zh" : "en"](date, speaker, line.text, line.captions),
      sources,
      ...own,
      metadata: speaker === "" ? {} : { persons: [speaker], speaker },
    });
  });
}

type Phrase = (date: string, speaker: string, text: string, captions: readonly string[]) => string;

const PHRASES: Readonly<Record<"en" | "zh", Phrase>> = {
  en: (date, speaker, text, captions) =>
    `(${date}) ${speaker === "" ? `"${text}"` : `${speaker} said, "${text}"`}${captions.map((one) => ` and shared ${one}`).join("")}`,
  zh: (date, speaker, text, captions) =>
    `（${date}）${speaker === "" ? `“${text}”` : `${speaker}说：“${text}”`}${captions.map((one) => `，并分享了${one}`).join("")}`,
};

async function summed(
  draft: Draft,
  { think }: PreInsertContext,
  options: Options,
  max_words: number,
): Promise<Draft> {
  const asked = { lines: linesOf(draft).map(({ line }) => line), max_words };
  const { summary } = await think(summarizeSession, asked, options.summarize_prompt);
  return recast(draft, {
    content: dated(summary, draft, options),
    kind: "summary",
    insertMethod: METHODS.summary,
  });
}

/** "8 May 2023: …", 2023年5月8日：… */
function dated(text: string, draft: Draft, options: Options): string {
  return `${dateOf(text, draft, options)}${detectLanguage(text) === "zh" ? "：" : ": "}${text}`;
}

interface Dated {
  readonly turns: readonly Turn[];
  readonly happenedAt?: number | undefined;
}

function dateOf(beside: string, { turns, happenedAt }: Dated, { date_style }: Options): string {
  const at = happenedAt ?? turns.at(-1)?.happenedAt ?? 0;
  return printMoment(at, beside, { style: date_style, zone: turns.at(-1)?.zone ?? "UTC", now: at });
}
