/** Which measures stand in front? Their names tell what they are: "recall@10", "recall_in_500", "mrr". */

/** In the order in which tables show them; of those with @K, the one K that readers compare by. */
const FRONT = [
  "all",
  "turns",
  "mrr",
  "sessions",
  "contains",
  "newest",
  "value",
  "f1",
  "answer_contains",
  "judge_lenient",
  "judge_strict",
] as const;

/** What a data set is sorted by, where it was measured. */
const SORTED_BY = ["recall", "sessions", "newest", "contains", "f1"] as const;

/** K, or the number of tokens: what stands behind "recall@" or "recall_in_". */
export function numbersOf(names: Iterable<string>, before: string): number[] {
  const found = new Set<number>();
  for (const name of names) {
    const rest = name.startsWith(before) ? name.slice(before.length) : "";
    if (/^\d+$/.test(rest)) found.add(Number(rest));
  }
  return [...found].sort((a, b) => a - b);
}

/** Ten where it was measured, else the greatest below it, else the least. */
export function comparedK(names: readonly string[]): number | undefined {
  const ks = [...new Set(names.flatMap((name) => numbersOf([name], `${name.split("@")[0]}@`)))].sort(
    (a, b) => a - b,
  );
  return ks.findLast((k) => k <= 10) ?? ks[0];
}

/** What a table is sorted by and plots stand on. */
export function mainMeasure(names: readonly string[]): string | undefined {
  const k = comparedK(names);
  return SORTED_BY.flatMap((name) => [`${name}@${k}`, name]).find((name) => names.includes(name));
}

/** Recall for every K, then one column for each of the others. */
export function frontMeasures(names: readonly string[]): string[] {
  const k = comparedK(names);
  const recalls = numbersOf(names, "recall@").map((one) => `recall@${one}`);
  const others = FRONT.map((name) => [`${name}@${k}`, name].find((one) => names.includes(one)));
  return [...recalls, ...others.filter((name) => name !== undefined)];
}

/** All of them, families together and their numbers rising. */
export function inOrder(names: Iterable<string>): string[] {
  return [...new Set(names)].sort(byName);
}

/** Numbers within names by their size: "2" before "10", "recall@5" before "recall@10". */
export function byName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** Counts, not shares of one: no per cent, and more is not better. */
export function isCount(name: string): boolean {
  return name.startsWith("tokens@");
}

/** What each family of measures means, for the reader of a report. */
export const MEANINGS: readonly (readonly [string, string])[] = [
  ["recall@K", "share of a question's evidence turns that the first K hits come from"],
  ["all@K", "share of questions whose evidence turns are all among the first K hits"],
  ["turns@K", "recall within the first K distinct turns, in the order of the hits"],
  ["mrr", "one divided by the place of the first hit that comes from evidence, 0 where there is none"],
  ["sessions@K", "share of the evidence's sessions among the first K distinct sessions"],
  ["contains@K", "share of questions of which a right answer stands word for word in the first K hits"],
  ["newest@K", "share of changed values whose newest stands in the first K hits, before any older one"],
  ["value@K", "share of changed values whose newest stands in the first K hits, wherever older ones stand"],
  ["recall_in_N", "recall of the hits that fit a budget of N tokens, best first"],
  ["tokens@K", "tokens of the first K hits"],
  ["f1", "words that a model's answer shares with the right one"],
  ["answer_contains", "share of a model's answers that hold a right one"],
  ["judge_lenient, judge_strict", "share of a model's answers that a judge (another model) holds for right"],
];
