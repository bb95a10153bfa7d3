/** Talk as programs write it down: one turn per line, {"speaker", "text", "at", "session"}. */
import { z } from "zod";
import { jsonObjectSchema } from "../../base/json.ts";
import { momentSchema } from "../../base/moment.ts";
import { parseInput } from "../../base/parse-input.ts";
import { type NewTurn, ROLES } from "../../base/turn.ts";
import { refuseJudgment } from "../../runtime/judged-memory.ts";
import type { Conversation } from "./conversation.ts";
import { readJsonLine } from "./json-line.ts";
import { readMoment } from "./moment.ts";
import { roleOf } from "./plain-text.ts";

const schema = z.strictObject({
  text: z.string(),
  speaker: z.string().optional(),
  role: z.enum(ROLES).optional(),
  at: z
    .union([momentSchema, z.string().refine((text) => readMoment(text) !== undefined, "no date")])
    .optional(),
  session: z.string().optional(),
  zone: z.string().optional(),
  captions: z.array(z.string()).optional(),
  metadata: jsonObjectSchema.optional(),
});

export function readJsonl(text: string, file: string, name: string): Conversation {
  const turns = text.split(/\r?\n/).flatMap((line, place): NewTurn[] => {
    if (line.trim() === "") return [];
    const where = `turn in ${file}:${place + 1}`;
    const {
      at,
      speaker,
      role,
      session = name,
      ...rest
    } = parseInput(schema, readJsonLine(line, where, '{"speaker": "Mia", "text": "…"}'), where);
    const turn = {
      ...rest,
      session,
      speaker,
      role: role ?? roleOf(speaker ?? ""),
      happenedAt: typeof at === "string" ? readMoment(at) : at,
    };
    refuseJudgment(turn);
    return [turn];
  });
  return { name: "", turns };
}
