/**
 * RealMem (Bian et al., 2026): the dated sessions of one person with an assistant, several projects interleaved, as a stream.
 * Some of the user's turns are queries, asked where they stand: when one is asked, all before it has been said, it itself has
 * not. A file is a person and a case. The file's order is the stream's: sessions may bear dates earlier than their place,
 * and ordered by date some queries would come before the memories that were used for them.
 *
 * The gold is memories: the reply to a query lists those it used, by session and content, and every session lists the
 * memories that were made of it, each with the turn it came from. So a used memory is followed to its turn: by the copy of
 * the turn's text that it carries; where the talk was edited after the copy was made, by the turn's number, if the same
 * side speaks there; else only its session is known. What was said after the query cannot be asked for and is left out.
 * There are no answers: the recorded reply is one of many good ones.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LabCase, LabQuestion, LabTurn } from "../dataset.ts";
import type { LeftOut } from "./left-out.ts";
import type { DataFile, Loader } from "./loaded.ts";
import { textMoment } from "./text-moment.ts";
import { turnText } from "./turn-text.ts";
import { uniqueNames } from "./unique-names.ts";

const dateSchema = z.string().transform((text, context) => {
  const moment = textMoment(text);
  if (moment !== undefined) return moment;
  context.addIssue(`"${text}" is no date; expected one like 2025-12-15 (Monday)`);
  return z.NEVER;
});

/** A memory is a text, or rarely a structure. */
const usedSchema = z.object({ session_uuid: z.string(), content: z.unknown() });
const madeSchema = z.object({
  content: z.unknown(),
  source_turn: z.number().nullish(),
  source_content_snapshot: z.string().nullish(),
  source_role_snapshot: z.string().nullish(),
});
const turnSchema = z.object({
  speaker: z.string(),
  content: z.string(),
  is_query: z.boolean().nullish(),
  query_id: z.string().nullish(),
  category_name: z.string().nullish(),
  memory_used: z.array(usedSchema).nullish(),
  memory_session_uuids: z.array(z.string()).nullish(),
});
const schema = z.object({
  _metadata: z.object({ person_name: z.string() }),
  dialogues: z.array(
    z.object({
      session_uuid: z.string(),
      current_time: dateSchema,
      dialogue_turns: z.array(turnSchema),
      extracted_memory: z.array(madeSchema).default([]),
    }),
  ),
});

type Dialogue = z.infer<typeof schema>["dialogues"][number] & { readonly session: string };
type RealTurn = z.infer<typeof turnSchema>;

export const loadRealMem: Loader = (files, leftOut) => ({
  cases: files.map((file) => caseOf(file, leftOut)),
});

function caseOf({ path, value }: DataFile, leftOut: LeftOut): LabCase {
  const { _metadata, dialogues } = parseInput(schema, value, `RealMem file ${path}`);
  const names = uniqueNames(dialogues.map(({ session_uuid }) => session_uuid));
  const stream = dialogues.map((one, place) => ({ ...one, session: names[place] ?? one.session_uuid }));
  const bySession = new Map(stream.map((dialogue) => [dialogue.session, dialogue]));
  const turns: LabTurn[] = [];
  const said = new Set<string>();
  const questions: LabQuestion[] = [];
  for (const { session, current_time, dialogue_turns } of stream)
    for (const [place, turn] of dialogue_turns.entries()) {
      if (turn.is_query === true) {
        const [after, reply] = [turns.length, dialogue_turns[place + 1]];
        questions.push({
          id: `${_metadata.person_name}_${turn.query_id ?? `${session}#${place + 1}`}`,
          text: turnText(turn.content),
          category: turn.category_name ?? "",
          askedAt: current_time,
          after,
          expects: "answer",
          answers: [],
          ...labelsOf(reply, bySession, (ref) => said.has(ref), leftOut),
        });
      }
      const ref = refOf(session, place);
      said.add(ref);
      const role = /^assistant$/i.test(turn.speaker) ? "assistant" : "user";
      turns.push({ ref, session, role, text: turnText(turn.content), happenedAt: current_time });
    }
  return { id: _metadata.person_name, turns, questions };
}

function refOf(session: string, place: number): string {
  return `${session}#${place + 1}`;
}

/** What the reply to a query used, as far as it was said before. */
function labelsOf(
  reply: RealTurn | undefined,
  bySession: ReadonlyMap<string, Dialogue>,
  isSaid: (ref: string) => boolean,
  leftOut: LeftOut,
): Pick<LabQuestion, "evidence" | "sessions"> {
  const [evidence, sessions] = [new Set<string>(), new Set<string>()];
  for (const uuid of reply?.memory_session_uuids ?? []) {
    if (isSaid(refOf(uuid, 0))) sessions.add(uuid);
    else leftOut.add("sessions of used memories that had not begun or are not in the file");
  }
  for (const { session_uuid, content } of reply?.memory_used ?? []) {
    const dialogue = bySession.get(session_uuid);
    const made = dialogue?.extracted_memory.find((one) => isDeepStrictEqual(one.content, content));
    const place =
      dialogue === undefined || made === undefined ? undefined : turnOf(made, dialogue.dialogue_turns);
    if (place === undefined) leftOut.add("used memories whose turn is not told");
    else if (!isSaid(refOf(session_uuid, place)))
      leftOut.add("used memories that are said after their query");
    else evidence.add(refOf(session_uuid, place));
  }
  return { evidence: [...evidence], sessions: [...sessions] };
}

/** The place of the turn that a memory was made of. */
function turnOf(
  { source_content_snapshot, source_role_snapshot, source_turn }: z.infer<typeof madeSchema>,
  turns: readonly RealTurn[],
): number | undefined {
  const copied = turns.findIndex(({ content }) => content !== "" && content === source_content_snapshot);
  if (copied >= 0) return copied;
  const numbered = (source_turn ?? 0) - 1;
  return turns[numbered]?.speaker === source_role_snapshot ? numbered : undefined;
}
