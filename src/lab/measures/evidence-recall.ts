/**
 * How much of the evidence was retrieved, as LoCoMo's authors count it? Ids of turns are compared as they are ("D3:4"); where
 * what was retrieved are summaries ("S3"), sessions are. A question without evidence, or without anything retrieved, counts
 * as fully recalled there, which inflates a mean: `strict` leaves such questions to the caller.
 */
export interface EvidenceRecallOptions {
  /** undefined instead of 1 where there is no evidence, 0 where nothing was retrieved. @default false */
  readonly strict?: boolean;
}

export function evidenceRecall(
  retrieved: readonly string[],
  evidence: readonly string[],
  { strict = false }: EvidenceRecallOptions = {},
): number | undefined {
  if (evidence.length === 0) return strict ? undefined : 1;
  const [first] = retrieved;
  if (first === undefined) return strict ? 0 : 1;
  const idOf = first.startsWith("S") ? sessionOf : (id: string): string => id;
  const found = new Set(retrieved.map((id) => id.replace(/^S/, "")));
  const hit = evidence.filter((id) => found.has(idOf(id)));
  return hit.length / evidence.length;
}

/** "D3:4" is of session 3. */
function sessionOf(id: string): string {
  return id.split(":", 1)[0]?.replace(/^D/, "") ?? "";
}
