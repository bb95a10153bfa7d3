/**
 * LoCoMo's talk (Maharana et al., ACL 2024): a list of conversations, each with dated sessions of turns, pictures told by
 * their captions. Times have no zone and are read as UTC; a turn's own id stays with it. The laboratory measures on it, and
 * the command line imports it.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { NewTurn } from "../../base/turn.ts";
import { textMoment } from "./text-moment.ts";

export interface LocomoConversation {
  /** As its file names it. */
  readonly name: string;
  readonly turns: readonly LocomoTurn[];
}

export interface LocomoTurn extends NewTurn {
  readonly session: string;
  readonly metadata: { readonly dia_id: string };
}

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});

const schema = z.array(z.object({ sample_id: z.string(), conversation: z.record(z.string(), z.unknown()) }));

export function readLocomo(value: unknown, file: string): LocomoConversation[] {
  const samples = parseInput(schema, Array.isArray(value) ? value : [value], `LoCoMo file ${file}`);
  return samples.map(({ sample_id: name, conversation }) => {
    const sessions = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key))
      .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
    const turns = sessions.flatMap((session) => {
      const said = parseInput(z.array(turnSchema), conversation[session], `${session} of ${name} in ${file}`);
      const happenedAt = textMoment(String(conversation[`${session}_date_time`] ?? ""));
      return said.map((turn) => toTurn(turn, session, happenedAt));
    });
    return { name, turns };
  });
}

function toTurn(
  { speaker, text, dia_id, blip_caption }: z.infer<typeof turnSchema>,
  session: string,
  happenedAt: number | undefined,
): LocomoTurn {
  return {
    speaker,
    // A picture may be sent without a word.
    text: text.trim() === "" ? `[${blip_caption ?? "…"}]` : text,
    captions: blip_caption === undefined || text.trim() === "" ? [] : [blip_caption],
    session,
    happenedAt,
    metadata: { dia_id },
  };
}
