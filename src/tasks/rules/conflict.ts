/**
 * What does a new statement do to an old one? Repeats it, says it more precisely, brings it up to date, contradicts it, or
 * has nothing to do with it. Judged by rules: attribute keys, the words both share, and polarity; each rule says how sure
 * it is and what it saw. The policy of conflicts chains them; the task `detect_conflict` answers with them if there is
 * no model.
 */
import {
  type AttributeFact,
  attributeFacts,
  attributeKey,
  isMorePrecise,
  isSameValue,
} from "./attribute-fact.ts";
import { isLasting } from "./attribute-names.ts";
import { isNegated, oppositionOf, speaksOfChange } from "./polarity.ts";
import { contentWords, haveSameSubject, isWithin, overlapOf, plainText } from "./statement.ts";

export const CONFLICT_KINDS = ["duplicate", "refinement", "update", "contradiction", "none"] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

export interface ConflictVerdict {
  readonly kind: ConflictKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** What was seen, for people who ask why. */
  readonly evidence: readonly string[];
}

export interface Statement {
  readonly text: string;
  /** Who "I" is. */
  readonly speaker?: string | undefined;
  /** Epoch milliseconds. */
  readonly happenedAt?: number | undefined;
}

/** Mem0's four events, and the verdict each of them stands for (C-10). */
export const CRUD_EVENTS = ["ADD", "UPDATE", "DELETE", "NOOP"] as const;
export type CrudEvent = (typeof CRUD_EVENTS)[number];

export const CRUD_OF_KIND: Readonly<Record<ConflictKind, CrudEvent>> = {
  none: "ADD",
  refinement: "UPDATE",
  update: "UPDATE",
  contradiction: "DELETE",
  duplicate: "NOOP",
};
export const KIND_OF_CRUD: Readonly<Record<CrudEvent, ConflictKind>> = {
  ADD: "none",
  UPDATE: "update",
  DELETE: "contradiction",
  NOOP: "duplicate",
};

/** All rules, the surest first. */
export function judgeConflict(fresh: Statement, old: Statement): ConflictVerdict {
  return (
    judgeSameText(fresh, old) ??
    judgeByAttribute(fresh, old) ??
    judgeByPolarity(fresh, old) ??
    judgeByWords(fresh, old) ?? { kind: "none", confidence: 0.6, evidence: [] }
  );
}

/** The same text, but for case, width, script and punctuation. */
export function judgeSameText(fresh: Statement, old: Statement): ConflictVerdict | undefined {
  const same = plainText(fresh.text) === plainText(old.text) && plainText(fresh.text) !== "";
  return same ? { kind: "duplicate", confidence: 1, evidence: ["the same text"] } : undefined;
}

/** Statements about the same attribute of the same entity (S1-25). */
export function judgeByAttribute(fresh: Statement, old: Statement): ConflictVerdict | undefined {
  const known = new Map(attributeFacts(old.text, old.speaker).map((fact) => [attributeKey(fact), fact]));
  const verdicts = attributeFacts(fresh.text, fresh.speaker).flatMap((fact) => {
    const before = known.get(attributeKey(fact));
    return before === undefined ? [] : [judgeAttribute(fact, before, { fresh, old })];
  });
  // A text may state several attributes: what clashes counts more than what agrees.
  return verdicts.sort((a, b) => WEIGHT[b.kind] - WEIGHT[a.kind])[0];
}

const WEIGHT: Readonly<Record<ConflictKind, number>> = {
  contradiction: 4,
  update: 3,
  refinement: 2,
  duplicate: 1,
  none: 0,
};

function judgeAttribute(
  fact: AttributeFact,
  before: AttributeFact,
  { fresh, old }: { readonly fresh: Statement; readonly old: Statement },
): ConflictVerdict {
  const said = ({ value, negated }: AttributeFact): string => `${negated ? "not " : ""}${value}`;
  const evidence = [`${fact.entity}, ${fact.attribute}: ${said(before)} → ${said(fact)}`];
  const verdict = (kind: ConflictKind, confidence: number): ConflictVerdict => ({
    kind,
    confidence,
    evidence,
  });
  const same = isSameValue(fact.value, before.value);
  if (fact.negated !== before.negated) {
    // "Not in Paris" leaves "in Berlin" possible.
    if (!same) return verdict("none", 0.6);
    return speaksOfChange(fresh.text) ? verdict("update", 0.9) : verdict("contradiction", 0.9);
  }
  if (same) return verdict("duplicate", 0.95);
  if (fact.negated) return verdict("none", 0.6);
  if (isMorePrecise(fact.value, before.value)) return verdict("refinement", 0.8);
  if (isMorePrecise(before.value, fact.value)) return verdict("duplicate", 0.7);
  if (isOlder(fresh, old)) return verdict("none", 0.6);
  if (fact.attribute.startsWith("opinion of ")) {
    return speaksOfChange(fresh.text) ? verdict("update", 0.9) : verdict("contradiction", 0.9);
  }
  return isLasting(fact.attribute) ? verdict("contradiction", 0.9) : verdict("update", 0.85);
}

/** What was said earlier cannot bring up to date what was said later: old chats may be imported at any time. */
function isOlder(fresh: Statement, old: Statement): boolean {
  if (fresh.happenedAt === undefined || old.happenedAt === undefined) return false;
  return fresh.happenedAt < old.happenedAt;
}

/** The same said with yes and with no. */
export function judgeByPolarity(fresh: Statement, old: Statement): ConflictVerdict | undefined {
  const found = oppositionOf(fresh.text, old.text);
  if (found === undefined) return undefined;
  const [now, before] = found.words.map((word) => word || "–");
  const evidence = [`${found.by}: ${before} → ${now}`];
  const changed = speaksOfChange(fresh.text) && !isOlder(fresh, old);
  return { kind: changed ? "update" : "contradiction", confidence: 0.7, evidence };
}

/** Nearly the same words: the same again, the same and more, or the same with another number. */
export function judgeByWords(fresh: Statement, old: Statement): ConflictVerdict | undefined {
  const [now, before] = [contentWords(fresh.text), contentWords(old.text)];
  const { shared, jaccard } = overlapOf(now, before);
  if (shared < 2 || !haveSameSubject(now, before) || isNegated(fresh.text) !== isNegated(old.text))
    return undefined;
  const evidence = [`${shared} of ${now.size} words were in the ${before.size} known ones`];
  if (jaccard === 1) return { kind: "duplicate", confidence: 0.9, evidence };
  const [added, lost] = [only(now, before), only(before, now)];
  if (shared >= FEWEST && lost.length === 0 && isWithin(before, now))
    return { kind: "refinement", confidence: 0.7, evidence };
  if (shared >= FEWEST && added.length === 0 && isWithin(now, before))
    return { kind: "duplicate", confidence: 0.7, evidence };
  const areNumbers = [added, lost].every((words) => words.length === 1 && /^\p{N}+$/u.test(words[0] ?? ""));
  if (areNumbers && !isOlder(fresh, old)) {
    return { kind: "update", confidence: 0.6, evidence: [`${lost.join()} → ${added.join()}`] };
  }
  return undefined;
}

/** Fewer words than these are in many texts that say something else. */
const FEWEST = 3;

function only(words: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...words].filter((word) => !others.has(word));
}
