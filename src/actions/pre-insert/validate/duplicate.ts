/**
 * Not what is known already: not the same words again (exact), or nothing near in meaning (near). Compared with the scope's
 * own entries, since another's words are not the speaker's, and with what the same packet said before.
 */
import { z } from "zod";
import { where } from "../../../base/filter.ts";
import type { Vector } from "../../../base/vector.ts";
import { hashOf } from "../../../collection/insert.ts";
import { cosine } from "../../../math/cosine.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import type { Failure, Judging } from "./rule.ts";

const exact = z.strictObject({
  rule: z.literal("duplicate").describe("Not what is known already."),
  match: z.literal("exact").describe("The very same text."),
  strategy: z
    .enum(["structured", "recent", "lexical", "semantic"])
    .describe("How the service is asked for it; one of the ways of looking it offers."),
});
const near = z.strictObject({
  rule: z.literal("duplicate").describe("Not what is known already."),
  match: z.literal("near").describe("A text near in meaning."),
  threshold: z.number().gt(0).max(1).describe("From this cosine on, two texts say the same."),
});

export const duplicateRule = z.discriminatedUnion("match", [exact, near]);
export type DuplicateRule = z.infer<typeof duplicateRule>;

export function checkDuplicate(
  draft: Draft,
  rule: DuplicateRule,
  judging: Judging,
): Promise<Failure | undefined> {
  return rule.match === "exact" ? checkExact(draft, rule, judging) : checkNear(draft, rule, judging);
}

/** Whether it compares vectors. */
export function needsVectors(rule: DuplicateRule): boolean {
  return rule.match === "near" || rule.strategy === "semantic";
}

async function checkExact(
  draft: Draft,
  { strategy }: z.infer<typeof exact>,
  { context, passed, vectorOf }: Judging,
): Promise<Failure | undefined> {
  const { content } = draft;
  const problem = "says what another says word for word";
  if (passed.some((other) => other.content === content)) return { problem };
  const vector = strategy === "semantic" ? await vectorOf(draft) : undefined;
  if (strategy === "semantic" && vector === undefined) return undefined;
  const hits = await context.store.retrieve({
    text: content,
    vectors: vector === undefined ? [] : [vector],
    filter: where.eq("contentHash", hashOf(content)),
    topK: 1,
    own: true,
    hints: { strategy },
  });
  return hits.length > 0 ? { problem } : undefined;
}

async function checkNear(
  draft: Draft,
  { threshold }: z.infer<typeof near>,
  { context, passed, vectorOf }: Judging,
): Promise<Failure | undefined> {
  const vector = await vectorOf(draft);
  if (vector === undefined) return undefined;
  const problem = `is nearer than ${threshold} to another`;
  const isNear = (other: Vector | undefined): boolean =>
    other?.space === vector.space && cosine(vector.values, other.values) >= threshold;
  for (const other of passed) if (isNear(await vectorOf(other))) return { problem };
  const hits = await context.store.retrieve({
    text: draft.content,
    vectors: [vector],
    topK: 1,
    own: true,
    hints: { strategy: "semantic" },
  });
  const known = hits.some(({ score, scoreParts }) => (scoreParts.cosine ?? score) >= threshold);
  return known ? { problem } : undefined;
}
