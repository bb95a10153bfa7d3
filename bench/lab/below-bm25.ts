/**
 * Which published designs find less than plain BM25 does? Told from the numbers, by intervals: a design lies below where all of
 * its interval does. Where intervals overlap, the data cannot tell the two apart, and it is said so.
 */
import { percentInterval } from "../../src/lab/report/figures.ts";
import type { Estimate, RunSummary } from "../../src/lab/result.ts";

const BM25 = "bm25";
/** What designs are held against, and our own: nobody published them as a memory. */
const NOT_PUBLISHED = /^(?:bm25|dense|hybrid|full_context|neuromem(?:_.*)?)$/;

/** undefined where BM25 or the designs were not run. `summaries` are of one data set. */
export function belowBm25(summaries: readonly RunSummary[], measure: string): string | undefined {
  const measured = summaries.flatMap(({ preset, overall }) => {
    const estimate = overall[measure];
    return estimate === undefined ? [] : [{ name: preset.name, estimate }];
  });
  const plain = measured.find(({ name }) => name === BM25)?.estimate;
  const designs = measured
    .filter(({ name }) => !NOT_PUBLISHED.test(name))
    .toSorted((a, b) => b.estimate.mean - a.estimate.mean);
  if (plain === undefined || designs.length === 0) return undefined;
  const below = designs.filter(({ estimate }) => estimate.high < plain.low);
  const above = designs.filter(({ estimate }) => estimate.low > plain.high);
  const between = designs.filter((one) => !below.includes(one) && !above.includes(one));
  return [
    `BM25 over the turns as they were said has ${percentInterval(plain)} by ${measure}.`,
    `Of ${designs.length} published ${designs.length === 1 ? "design" : "designs"}, run without a model:`,
    `below it with their whole interval, ${listed(below)};`,
    `not to be told from it, ${listed(between)};`,
    `above it with their whole interval, ${listed(above)}.`,
  ].join(" ");
}

function listed(designs: readonly { readonly name: string; readonly estimate: Estimate }[]): string {
  if (designs.length === 0) return "none";
  const named = designs.map(({ name, estimate }) => `${name} ${percentInterval(estimate)}`);
  return `${designs.length}: ${named.join(", ")}`;
}
