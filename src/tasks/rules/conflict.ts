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
import { areExclusive } from "./exclusive.ts";
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
  const [now, before] = [fresh, old].map(({ text, speaker }) => attributeFacts(text, speaker));
  const known = new Map(before?.map((fact) => [attributeKey(fact), fact]));
  const verdicts = (now ?? []).flatMap((fact) => {
    const same = known.get(attributeKey(fact));
    return same === undefined ? [] : [judgeAttribute(fact, same, { fresh, old })];
  });
  // A text may state several attributes: what clashes counts more than what agrees.
  const [verdict] = verdicts.sort((a, b) => WEIGHT[b.kind] - WEIGHT[a.kind]);
  if (verdict === undefined || verdict.kind === "none") return verdict;
  const isWhole = (facts: readonly AttributeFact[] | undefined, { text }: Statement): boolean =>
    facts?.length === verdicts.length && !tellsMore(text, facts);
  const [freshIsWhole, oldIsWhole] = [isWhole(now, fresh), isWhole(before, old)];
  // Nothing gives way to a text that leaves out a part of what it told.
  if (verdict.kind === "duplicate" ? freshIsWhole : oldIsWhole) return verdict;
  if (verdict.kind === "duplicate" && oldIsWhole) return { ...verdict, kind: "refinement" };
  return { ...verdict, kind: "none", evidence: [...verdict.evidence, "one of several things it tells"] };
}

/** Whether a text tells something besides these facts. */
function tellsMore(text: string, facts: readonly AttributeFact[]): boolean {
  const rest = facts.reduce((left, { clause }) => left.replace(clause, " "), text);
  return [...contentWords(rest)].filter((word) => !/\p{N}|^[年月日号]$/u.test(word)).length >= FEWEST;
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
  const changed = speaksOfChange(fact.clause);
  if (fact.negated !== before.negated) {
    // "Not in Paris" leaves "in Berlin" possible.
    if (!same) return verdict("none", 0.6);
    return changed ? verdict("update", 0.9) : verdict("contradiction", 0.9);
  }
  if (same) return verdict("duplicate", 0.95);
  if (fact.negated) return verdict("none", 0.6);
  if (isMorePrecise(fact.value, before.value)) return verdict("refinement", 0.8);
  if (isMorePrecise(before.value, fact.value)) return verdict("duplicate", 0.7);
  if (isOlder(fresh, old) || !(changed || areExclusive(fact, before))) return verdict("none", 0.6);
  if (fact.attribute.startsWith("opinion of ")) {
    return changed ? verdict("update", 0.9) : verdict("contradiction", 0.9);
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
  if (jaccard === 1 && isWithin(now, before)) return { kind: "duplicate", confidence: 0.9, evidence };
  const [added, lost] = [only(now, before), only(before, now)];
  if (shared >= FEWEST && lost.length === 0 && isWithin(before, now))
    return { kind: "refinement", confidence: 0.7, evidence };
  if (shared >= FEWEST && added.length === 0 && isWithin(now, before))
    return { kind: "duplicate", confidence: 0.7, evidence };
  const areNumbers = [added, lost].every((words) => words.length === 1 && /^\p{N}+$/u.test(words[0] ?? ""));
  if (areNumbers && isCount(fresh.text, added) && isCount(old.text, lost) && !isOlder(fresh, old)) {
    return { kind: "update", confidence: 0.6, evidence: [`${lost.join()} → ${added.join()}`] };
  }
  return undefined;
}

/** "Has 3 cats" is no longer so with 4; "ran 3 miles" stays true, and another day is another time. */
function isCount(text: string, [number]: readonly string[]): boolean {
  return HOLDS.test(text) && contentWords(text.replace(DATE, " ")).has(number ?? "");
}

const HOLDS =
  /\b(?:has|have|is|are|am|owns?|weighs?|costs?|earns?|pays?|takes|lasts|needs?|keeps?)\b|'(?:s|m|re|ve)\b|有|是|养|岁|重|需要|月薪|价/iu;
const DATE =
  /\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*(?:,? \d{4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\b(?:19|20)\d{2}\b|\d{4}年|\d{1,2}[月日号点时]|\d{1,2}:\d{2}|\d{1,2} ?[ap]m\b/giu;

/** Fewer words than these are in many texts that say something else. */
const FEWEST = 3;

function only(words: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...words].filter((word) => !others.has(word));
}
