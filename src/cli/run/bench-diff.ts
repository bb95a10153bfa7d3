/** Is the second run better than the first, or is it chance? Question by question. */
import {
  type ComparedQuestion,
  type Comparison,
  compareRuns,
  type Difference,
} from "../../lab/report/compare-runs.ts";
import {
  count,
  countDifference,
  countInterval,
  percent,
  percentInterval,
  pointsInterval,
} from "../../lab/report/figures.ts";
import { isCount } from "../../lab/report/measure-names.ts";
import { readRun } from "../../lab/report/read-runs.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd, widthOf } from "../text-width.ts";

/** More are in the report. */
const MOST_SHOWN = 10;

export async function diffRuns(given: Given, terminal: Terminal): Promise<number> {
  const [a, b] = [await readRun(given.argument("RUN_A")), await readRun(given.argument("RUN_B"))];
  const found = compareRuns(a, b, given.text("measure"));
  terminal.give({ a: a.summary.run, b: b.summary.run, ...found });
  const { say, paint, text } = terminal;
  say(`A  ${paint("bold", a.summary.run)}`);
  say(`B  ${paint("bold", b.summary.run)}`);
  sayOverall(found, terminal);
  sayCategories(found, terminal);
  const changed = found.changed.filter(({ expects }) => expects === "answer");
  const shown = changed.slice(0, MOST_SHOWN);
  if (shown.length > 0) say(`\n${text({ en: "Changed most", zh: "变化最大的题目" })}`);
  for (const one of shown) sayQuestion(one, found.measure, terminal);
  if (changed.length > MOST_SHOWN) {
    const left = changed.length - MOST_SHOWN;
    const rest = text({ en: `… and ${left} more, by --json`, zh: `…… 另有 ${left} 题，见 --json` });
    say(paint("dim", `  ${rest}`));
  }
  return 0;
}

function sayOverall(
  { measure, dataset, overall, leftOut }: Comparison,
  { say, paint, text }: Terminal,
): void {
  const n = overall.difference.count;
  say(`\n${paint("bold", measure)}  ${dataset}, ${text({ en: `${n} questions`, zh: `${n} 道题` })}`);
  say(`  A      ${shown(measure, overall.a)}`);
  say(`  B      ${shown(measure, overall.b)}`);
  const verdict = overall.isTold
    ? text({ en: "the interval leaves out 0", zh: "区间不含 0" })
    : text({ en: "cannot be told from chance", zh: "无法与偶然区分" });
  const colour = overall.isTold ? trend(measure, overall.difference.mean) : "yellow";
  say(`  B − A  ${paint(colour, `${difference(measure, overall)}  ${verdict}`)}`);
  say(`  ${counts(measure, overall, text)}`);
  if (leftOut > 0) {
    const why = text({
      en: `${leftOut} questions are in one run only, or cannot be measured, and do not count.`,
      zh: `${leftOut} 道题只在一次运行中出现或无法测量，未计入。`,
    });
    say(paint("dim", `  ${why}`));
  }
}

function sayCategories({ measure, byCategory, abstain }: Comparison, { say, text }: Terminal): void {
  const rows = Object.entries(byCategory);
  const apart = text({ en: "cannot be answered (apart)", zh: "无法回答的题（单列）" });
  const all = [...(rows.length > 1 ? rows : []), ...(abstain === null ? [] : [[apart, abstain] as const])];
  if (all.length === 0) return;
  say(`\n${text({ en: "By category", zh: "按类别" })}`);
  const width = Math.max(...all.map(([name]) => widthOf(name)));
  for (const [name, one] of all) {
    say(`  ${padEnd(name, width)}  ${padEnd(difference(measure, one), 24)}  ${counts(measure, one, text)}`);
  }
}

function counts(measure: string, { gains, losses, same }: Difference, text: Terminal["text"]): string {
  return isCount(measure)
    ? text({
        en: `${gains} with more, ${losses} with fewer, ${same} the same`,
        zh: `${gains} 题增多，${losses} 题减少，${same} 题不变`,
      })
    : text({
        en: `${gains} better, ${losses} worse, ${same} the same`,
        zh: `${gains} 题变好，${losses} 题变差，${same} 题不变`,
      });
}

/** More of what is counted is neither better nor worse. */
function trend(measure: string, more: number): "green" | "red" | "dim" {
  if (isCount(measure)) return "dim";
  return more > 0 ? "green" : "red";
}

function sayQuestion(
  { a, b, category, question, text }: ComparedQuestion,
  measure: string,
  terminal: Terminal,
): void {
  const write = isCount(measure) ? count : percent;
  const values = terminal.paint(trend(measure, b - a), padEnd(`${write(a)} → ${write(b)}`, 15));
  const asked = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const short = asked.length > 100 ? `${asked.slice(0, 99)}…` : asked;
  terminal.say(`  ${values} ${short}  ${terminal.paint("dim", `${category} · ${question}`)}`);
}

function shown(measure: string, value: Difference["a"]): string {
  return isCount(measure) ? countInterval(value) : percentInterval(value);
}

function difference(measure: string, { difference: value }: Difference): string {
  return isCount(measure) ? countDifference(value) : pointsInterval(value);
}
