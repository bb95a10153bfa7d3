/** What a rule of the English time reader is: a pattern that must match right where it is tried, and what it then means. */
import type { Span } from "./calendar.ts";
import type { Reading, TimeContext } from "./reading.ts";

export type ReadPeriod = (context: TimeContext, at: number) => Reading | undefined;

export interface RuleInput {
  readonly match: RegExpExecArray;
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly context: TimeContext;
  /** Where the match begins. */
  readonly at: number;
  /** Reads a further period, for rules that end in one. */
  readonly periodAt: ReadPeriod;
}

export interface EnglishRule {
  readonly pattern: RegExp;
  read(input: RuleInput): Reading | undefined;
}

/** A rule whose span needs nothing beyond its own match. `relative` says whether it depends on when it was said. */
export function rule(
  source: string,
  span: (input: RuleInput) => Span | undefined,
  relative: boolean | ((groups: RuleInput["groups"]) => boolean) = true,
): EnglishRule {
  return {
    pattern: new RegExp(source, "iy"),
    read(input) {
      const found = span(input);
      if (found === undefined) return undefined;
      const isRelative = typeof relative === "boolean" ? relative : relative(input.groups);
      return { span: found, end: input.at + input.match[0].length, relative: isRelative };
    },
  };
}

/** A rule that ends in another period: `source` matches up to it, `span` turns its span into the whole's. */
export function nestedRule(
  source: string,
  span: (input: RuleInput, inner: Span) => Span | undefined,
): EnglishRule {
  return {
    pattern: new RegExp(source, "iy"),
    read(input) {
      const inner = input.periodAt(input.context, input.at + input.match[0].length);
      if (inner === undefined) return undefined;
      const found = span(input, inner.span);
      return found === undefined ? undefined : { span: found, end: inner.end, relative: inner.relative };
    },
  };
}
