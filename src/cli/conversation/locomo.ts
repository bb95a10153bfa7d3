/**
 * LoCoMo (Maharana et al., ACL 2024): a list of conversations, each with dated sessions of turns, pictures told by their
 * captions. Times have no zone and are read as UTC; a turn's own id stays with it.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { NewTurn } from "../../base/turn.ts";
import type { Conversation } from "./conversation.ts";

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});

const schema = z.array(z.object({ sample_id: z.string(), conversation: z.record(z.string(), z.unknown()) }));

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

export function readLocomo(value: unknown, file: string): Conversation[] {
  const samples = parseInput(schema, Array.isArray(value) ? value : [value], `LoCoMo file ${file}`);
  return samples.map(({ sample_id: name, conversation }) => {
    const sessions = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key))
      .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
    const turns = sessions.flatMap((session) => {
      const said = parseInput(z.array(turnSchema), conversation[session], `${session} of ${name} in ${file}`);
      const happenedAt = readTime(String(conversation[`${session}_date_time`] ?? ""));
      return said.map((turn) => toTurn(turn, session, happenedAt));
    });
    return { name, turns };
  });
}

/** "1:56 pm on 8 May, 2023" */
function readTime(text: string): number | undefined {
  const [, hour, minute, half, day, month = "", year] =
    /(\d+):(\d+)\s*([ap])m on (\d+) (\w+),? (\d{4})/i.exec(text) ?? [];
  const place = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  if (place < 0) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  return Date.UTC(Number(year), place, Number(day), hours, Number(minute));
}

function toTurn(
  { speaker, text, dia_id, blip_caption }: z.infer<typeof turnSchema>,
  session: string,
  happenedAt: number | undefined,
): NewTurn {
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
