/**
 * A line together with the one it answers (Emotional RAG, Huang et al., 2024: "the previous line and the character's
 * line"). The line before is the one said just before it in the same session, in this packet or shown before it; the first
 * line of a session stands by itself.
 */
import { z } from "zod";
import type { Turn } from "../../../base/turn.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import { type Draft, textOf } from "../../../pipeline/draft.ts";
import { type DraftLine, linesOf } from "../lines-of.ts";
import { recast } from "../recast.ts";

export const withPreviousOptions = z.strictObject({
  transform_type: z
    .literal("with_previous")
    .describe("Keeps each line with the line before it (Emotional RAG)."),
  speakers: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .describe("Only lines of these speakers are kept, as the role that is played; null: of all."),
});

export function withPrevious(
  given: { readonly drafts: readonly Draft[]; readonly before: readonly Turn[] },
  { note }: PreInsertContext,
  { speakers }: z.infer<typeof withPreviousOptions>,
): Draft[] {
  const lines = given.drafts.flatMap(linesOf);
  const out: Draft[] = [];
  let previous = given.before.at(-1);
  for (const one of lines) {
    if (speakers === null || speakers.includes(one.line.speaker)) out.push(paired(previous, one));
    previous = one.turns.at(-1);
  }
  if (out.length < lines.length) note("others_lines", lines.length - out.length);
  return out;
}

function paired(previous: Turn | undefined, { draft, text, turns, line }: DraftLine): Draft {
  const [own] = turns;
  const answered = previous !== undefined && previous.session === own?.session ? [previous] : [];
  const all = [...answered, ...turns];
  const persons = [...new Set(all.map(({ speaker }) => speaker))].filter((name) => name !== "");
  return recast(draft, {
    // What the draft was before, as a part of a text, it is no longer.
    insertMethod: "default",
    content: [...answered.map((turn) => textOf(turn, turn.speaker !== "")), text].join("\n"),
    sources: all.map(({ id }) => id),
    turns: all,
    happenedAt: own?.happenedAt ?? draft.happenedAt,
    metadata: {
      ...(persons.length === 0 ? {} : { persons }),
      ...(line.speaker === "" ? {} : { speaker: line.speaker }),
    },
  });
}
