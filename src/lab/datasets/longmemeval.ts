/**
 * LongMemEval (Wu et al., ICLR 2025): every question has a history of its own, some fifty dated sessions between a user and an
 * assistant, so that each is a case. Files do not always hold the sessions in the order in which they took place; here they
 * come by their dates. Turns marked `has_answer` are the evidence; questions whose id ends in `_abs` cannot be answered.
 *
 * A session id may stand twice in a history: the second session is "id~2", and a label that names the id means both.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LabCase, LabQuestion, LabTurn } from "../dataset.ts";
import type { LeftOut } from "./left-out.ts";
import type { Loader } from "./loaded.ts";
import { textMoment } from "./text-moment.ts";
import { turnText } from "./turn-text.ts";
import { uniqueNames } from "./unique-names.ts";

const dateSchema = z.string().transform((text, context) => {
  const moment = textMoment(text);
  if (moment !== undefined) return moment;
  context.addIssue(`"${text}" is no date; expected one like 2023/05/20 (Sat) 02:21`);
  return z.NEVER;
});

const turnSchema = z.object({
  role: z.enum(["user", "assistant", "system"]),
  content: z.string(),
  has_answer: z.boolean().nullish(),
});

const schema = z.array(
  z
    .object({
      question_id: z.string(),
      question_type: z.string(),
      question: z.string(),
      answer: z.union([z.string(), z.number()]).transform(String),
      question_date: dateSchema,
      haystack_dates: z.array(dateSchema),
      haystack_session_ids: z.array(z.string()),
      haystack_sessions: z.array(z.array(turnSchema)),
      answer_session_ids: z.array(z.string()),
    })
    .superRefine(({ haystack_dates, haystack_session_ids, haystack_sessions }, context) => {
      const [dates, ids, sessions] = [haystack_dates, haystack_session_ids, haystack_sessions];
      if (dates.length === sessions.length && ids.length === sessions.length) return;
      context.addIssue(
        `${sessions.length} sessions with ${dates.length} dates and ${ids.length} ids; expected as many of each`,
      );
    }),
);

type Asked = z.infer<typeof schema>[number];

export const loadLongMemEval: Loader = ([{ path, value }], leftOut) => {
  const asked = parseInput(schema, value, `LongMemEval file ${path}`);
  return { cases: asked.map((one) => caseOf(one, leftOut)) };
};

function caseOf(asked: Asked, leftOut: LeftOut): LabCase {
  const id = asked.question_id;
  const sessions = sessionsOf(asked);
  const evidence: string[] = [];
  const turns = sessions.flatMap(({ session, at, said }) =>
    said.map(({ role, content, has_answer }, place): LabTurn => {
      const ref = `${session}#${place + 1}`;
      if (has_answer === true) evidence.push(ref);
      return { ref, session, speaker: role, role, text: turnText(content), happenedAt: at };
    }),
  );
  const isNamed = new Set(asked.answer_session_ids);
  const known = new Set(asked.haystack_session_ids);
  leftOut.add(
    "evidence sessions that are not in their history",
    [...isNamed].filter((session) => !known.has(session)).length,
  );
  const question: LabQuestion = {
    id,
    text: asked.question,
    category: asked.question_type,
    askedAt: asked.question_date,
    expects: id.endsWith("_abs") ? "abstain" : "answer",
    evidence,
    sessions: sessions.filter(({ named }) => isNamed.has(named)).map(({ session }) => session),
    answers: [asked.answer],
  };
  return { id, turns, questions: [question] };
}

/** By date; sessions of the same moment stay as they stand in the file. */
function sessionsOf({ haystack_sessions, haystack_session_ids, haystack_dates }: Asked) {
  const ordered = haystack_sessions
    .map((said, place) => ({
      said,
      named: haystack_session_ids[place] ?? "",
      at: haystack_dates[place] ?? 0,
    }))
    .sort((a, b) => a.at - b.at);
  const names = uniqueNames(ordered.map(({ named }) => named));
  return ordered.map((one, place) => ({ ...one, session: names[place] ?? one.named }));
}
