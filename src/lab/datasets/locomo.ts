/**
 * LoCoMo as the laboratory asks it: one case for each conversation, its questions at the end. Evidence is turns, by the names
 * the data set gives them ("D3:14" → "3:14"); categories are compared by number. Category 5 asks for what was never said:
 * its `adversarial_answer` is the trap, not the truth, and to abstain is right.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LabCase, Labels, LabQuestion, LabTurn } from "../dataset.ts";
import type { LeftOut } from "./left-out.ts";
import type { Loader } from "./loaded.ts";
import { type AuditEntry, readAudit } from "./locomo-audit.ts";
import { type LocomoConversation, readLocomo } from "./locomo-conversations.ts";
import { turnText } from "./turn-text.ts";
import { uniqueNames } from "./unique-names.ts";

const answerSchema = z.union([z.string(), z.number()]).transform(String).nullish();
const questionSchema = z.object({
  question: z.string(),
  answer: answerSchema,
  adversarial_answer: answerSchema,
  evidence: z.array(z.string()).nullish(),
  category: z.number().int().min(1).max(5),
});
const schema = z.array(z.object({ qa: z.array(questionSchema) }));

const ADVERSARIAL = 5;
const NO_TURN = "pieces of evidence that name no turn of their conversation";

export const loadLocomo: Loader = ([file, audit], leftOut) => {
  const list = Array.isArray(file.value) ? file.value : [file.value];
  const conversations = readLocomo(list, file.path);
  const asked = parseInput(schema, list, `LoCoMo file ${file.path}`).map(({ qa }) => qa);
  const texts = asked.map((questions) => questions.map(({ question }) => question));
  const correctionOf = audit === undefined ? undefined : readAudit(audit, texts, leftOut);
  const cases = conversations.map((conversation, place): LabCase => {
    const id = conversation.name;
    const turns = turnsOf(conversation);
    const sessionOf = new Map(turns.map(({ ref, session }) => [ref, session]));
    const questions = (asked[place] ?? []).map((question, at) => {
      const labels = labelsOf(question.evidence ?? [], question.answer, sessionOf, leftOut);
      const entry = correctionOf?.(place, at);
      return {
        ...labels,
        id: `${id}_qa${at}`,
        text: question.question,
        category: String(question.category),
        expects: question.category === ADVERSARIAL ? "abstain" : "answer",
        trap: question.adversarial_answer ?? undefined,
        corrected: entry === undefined ? undefined : correctedOf(labels, entry, sessionOf, leftOut),
      } satisfies LabQuestion;
    });
    return { id, turns, questions };
  });
  return { cases };
};

function turnsOf({ turns }: LocomoConversation): LabTurn[] {
  const refs = uniqueNames(turns.map(({ metadata: { dia_id } }) => turnRefs(dia_id)[0] ?? dia_id));
  return turns.map((turn, place) => ({ ...turn, text: turnText(turn.text), ref: refs[place] ?? "" }));
}

function labelsOf(
  evidence: readonly string[],
  answer: string | null | undefined,
  sessionOf: ReadonlyMap<string, string>,
  leftOut: LeftOut,
): Labels {
  const known = new Set<string>();
  for (const text of evidence) {
    const named = turnRefs(text);
    if (named.length === 0) leftOut.add(NO_TURN);
    for (const ref of named) sessionOf.has(ref) ? known.add(ref) : leftOut.add(NO_TURN);
  }
  return {
    evidence: [...known],
    sessions: [...new Set([...known].flatMap((ref) => sessionOf.get(ref) ?? []))],
    answers: answer == null ? [] : [answer],
  };
}

/** Only what differs: most corrections mend the evidence or the answer, not both. */
function correctedOf(
  labels: Labels,
  { correct_evidence, correct_answer }: AuditEntry,
  sessionOf: ReadonlyMap<string, string>,
  leftOut: LeftOut,
): Partial<Labels> | undefined {
  const right = labelsOf(correct_evidence, correct_answer, sessionOf, leftOut);
  const isMoved = right.evidence.toSorted().join() !== labels.evidence.toSorted().join();
  const isReworded = right.answers.length > 0 && right.answers[0] !== labels.answers[0];
  if (!isMoved && !isReworded) return undefined;
  return {
    ...(isMoved ? { evidence: right.evidence, sessions: right.sessions } : {}),
    ...(isReworded ? { answers: right.answers } : {}),
  };
}

/** "D8:6; D9:17", "D:11:26" and "D30:05" are all in the data. */
function turnRefs(text: string): string[] {
  return [...text.matchAll(/D:?(\d+):(\d+)/g)].map(
    ([, session, turn]) => `${Number(session)}:${Number(turn)}`,
  );
}
