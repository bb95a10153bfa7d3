/**
 * Which of LoCoMo's labels did an audit find wrong? The audit (github.com/dial481/locomo-audit) names questions
 * `locomo_<conversation>_qa<place>` and repeats their text. The conversation's number is its place in all ten, which a file
 * with some of them does not tell: the text decides, the places only between questions of the same text.
 */
import { z } from "zod";
import { parseInput } from "../../base/parse-input.ts";
import type { LeftOut } from "./left-out.ts";
import type { DataFile } from "./loaded.ts";

export const auditSchema = z.array(
  z.object({
    question_id: z.string(),
    question: z.string(),
    correct_evidence: z.array(z.string()),
    correct_answer: z.union([z.string(), z.number()]).transform(String).nullish(),
  }),
);

export type AuditEntry = z.infer<typeof auditSchema>[number];

/** The corrections by conversation and question, each by its place in the file. */
export function readAudit(
  { path, value }: DataFile,
  texts: readonly (readonly string[])[],
  leftOut: LeftOut,
): (conversation: number, question: number) => AuditEntry | undefined {
  const found = new Map<string, AuditEntry>();
  const places = Map.groupBy(
    texts.flatMap((asked, conversation) => asked.map((text, question) => ({ text, conversation, question }))),
    ({ text }) => text,
  );
  for (const entry of parseInput(auditSchema, value, `LoCoMo audit ${path}`)) {
    const [, conversation, question] = /_(\d+)_qa(\d+)$/.exec(entry.question_id) ?? [];
    const same = places.get(entry.question) ?? [];
    const placed = same.filter((one) => one.question === Number(question));
    const chosen =
      placed.find((one) => one.conversation === Number(conversation)) ?? only(placed) ?? only(same);
    if (chosen === undefined) leftOut.add("corrections of the audit for questions that are not in the file");
    else found.set(`${chosen.conversation} ${chosen.question}`, entry);
  }
  return (conversation, question) => found.get(`${conversation} ${question}`);
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
