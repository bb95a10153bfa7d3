/**
 * Is the session over? LD-Agent (Li et al., NAACL 2025): lines stay in the short-term tier while the talk goes on. When the
 * next line comes after a longer silence, those before it become one memory of the long-term tier: a summary, found by the
 * nouns of the whole session, dated by its last line, with what the lines told about their speakers. It takes their place.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import { defineAction, type Inserted, type PostInsertContext } from "../../pipeline/action.ts";
import type { ServiceInsert } from "../../services/service.ts";
import type { Line } from "../../tasks/dialogue.ts";
import { summarizeSession } from "../../tasks/summarize-session.ts";
import { findNouns } from "../../text/nouns.ts";
import { distinct } from "../pre-insert/recast.ts";

const options = z.strictObject({
  session_gap_seconds: z.number().positive().describe("A silence that is longer ends the session."),
  from_tier: z.string().min(1).describe("The tier of the session's lines."),
  to_tier: z.string().min(1).describe("The tier of what is left of it."),
  summary_max_words: z.int().min(1).describe("Most words of the summary."),
  summarize_prompt: z.string().min(1).describe("Id of the prompt that asks for the summary."),
  max_nouns: z.int().min(1).describe("Most nouns of a session, in the order they are said."),
});
type Options = z.infer<typeof options>;

/** More lines than any session has. */
const ALL_LINES = 100_000;

export const closeSession = defineAction({
  stage: "post_insert",
  name: "close_session",
  summary: "Puts a summary, found by its nouns, in the place of a session that is over (LD-Agent).",
  options,
  claims: ({ from_tier, to_tier, summarize_prompt }) => ({
    abilities: ["tiers", "vector"],
    tiers: [from_tier, to_tier],
    judgedTier: to_tier,
    cycle: true,
    hints: [{ strategy: "structured", names: ["tiers"] }],
    embedder: true,
    prompts: [{ task: summarizeSession, prompt: summarize_prompt }],
  }),
  async run({ inserted }, context, options) {
    const { session_gap_seconds, from_tier, ...rest } = options;
    // What somebody worded is no line of the talk.
    const said = inserted.filter(({ draft }) => draft.judged !== true);
    const inOrder = said.toSorted((a, b) => momentOf(a, context) - momentOf(b, context));
    let closed = 0;
    for (const [place, one] of inOrder.entries()) {
      const later = inOrder.slice(place).map(({ id }) => id);
      const lines = await linesBefore(one, later, context, from_tier);
      const last = lines.at(-1);
      const silence = last === undefined ? 0 : momentOf(one, context) - last.happenedAt;
      if (last === undefined || silence <= session_gap_seconds * 1000) continue;
      const summary = await summaryOf(lines, context, rest);
      const cycle = context.store.cycle(one.id);
      await cycle.delete(lines.map(({ id }) => id));
      await cycle.insert([summary]);
      closed++;
      context.note("closed", { lines: lines.length, silence_seconds: silence / 1000 });
    }
    context.note("sessions_closed", closed);
    return undefined;
  },
});

function momentOf({ entry }: Inserted, { now }: PostInsertContext): number {
  return entry.happenedAt ?? now;
}

/** The lines of the session that the new one may end, oldest first. */
async function linesBefore(
  { id }: Inserted,
  later: Hit["id"][],
  { store }: PostInsertContext,
  tier: string,
): Promise<Hit[]> {
  const lines = await store.cycle(id).retrieve({
    filter: where.not(where.in("id", later)),
    topK: ALL_LINES,
    own: true,
    hints: { strategy: "structured", tiers: [tier] },
  });
  return lines.toSorted((a, b) => a.happenedAt - b.happenedAt || (a.id < b.id ? -1 : 1));
}

async function summaryOf(
  lines: readonly Hit[],
  { think, embed }: PostInsertContext,
  {
    summary_max_words,
    summarize_prompt,
    max_nouns,
    to_tier,
  }: Omit<Options, "session_gap_seconds" | "from_tier">,
): Promise<ServiceInsert> {
  const asked = { lines: lines.map(spokenLine), max_words: summary_max_words };
  const { summary } = await think(summarizeSession, asked, summarize_prompt);
  const nouns = await findNouns(lines.map(({ content }) => content).join("\n"), max_nouns);
  // A session without a noun is found by what its summary says.
  const [vector] = await embed([nouns.length === 0 ? summary : nouns.join(", ")]);
  const persona = listOf(lines, "persona");
  const persons = listOf(lines, "persons");
  return {
    kind: "summary",
    content: summary,
    sources: [...new Set(lines.flatMap(({ sources }) => sources))],
    happenedAt: lines.at(-1)?.happenedAt,
    metadata: {
      nouns,
      ...(persons.length === 0 ? {} : { persons }),
      ...(persona.length === 0 ? {} : { persona }),
      ...(typeof lines.at(-1)?.metadata.session === "string"
        ? { session: lines.at(-1)?.metadata.session ?? "" }
        : {}),
    },
    vectors: vector === undefined ? [] : [vector],
    insertMode: "active",
    insertParams: { targetTier: to_tier },
  };
}

/** Who said it, without the name that the entry begins with. */
function spokenLine({ content, happenedAt, metadata }: Hit): Line {
  const speaker = typeof metadata.speaker === "string" ? metadata.speaker : "";
  const mark = `${speaker}: `;
  const text = speaker !== "" && content.startsWith(mark) ? content.slice(mark.length) : content;
  return { speaker, text, captions: [], happenedAt };
}

/** What the lines have under a name, each once. */
function listOf(lines: readonly Hit[], name: string): ReturnType<typeof distinct> {
  return distinct(
    lines.flatMap(({ metadata }) => {
      const value = metadata[name];
      return Array.isArray(value) ? value : [];
    }),
  );
}
