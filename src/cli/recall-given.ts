/** What a question's options ask for, as the memory takes it. */
import type { RecallOptions } from "../runtime/recall.ts";
import type { Given } from "./command.ts";
import { kindAndTag, lastMoment, moment, wholeNumber } from "./option-values.ts";

export function recallGiven(given: Given): Omit<RecallOptions, "signal"> {
  return {
    limit: wholeNumber(given, "limit"),
    budget: wholeNumber(given, "budget"),
    filter: kindAndTag(given),
    from: moment(given, "from"),
    to: lastMoment(given, "to"),
    asked: moment(given, "asked"),
    at: lastMoment(given, "at"),
    knownAt: lastMoment(given, "known-at"),
    zone: given.text("zone"),
  };
}
