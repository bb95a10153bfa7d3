/**
 * How well does the compression without a model keep SimpleMem's promise: no pronoun (S2-6), no relative time (S2-7)? Shares
 * of restatements without either, and, by hand-made labels, how many pronouns got the right name and how many a wrong one.
 * With data also on LoCoMo, which nobody labelled: there only the shares are known.
 */
import type { LabTurn } from "../../src/lab/dataset.ts";
import type { Line } from "../../src/tasks/dialogue.ts";
import { dialogueFacts } from "../../src/tasks/local/dialogue-facts.ts";
import { restated, talkAt } from "../../src/tasks/local/restate.ts";
import { locomoCases } from "../locomo-data.ts";
import { atLeast, atMost, type Row } from "../report.ts";
import { SAMPLE, type SampleTalk } from "./restatement-sample.ts";

export async function benchRestatements(data?: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const language of ["en", "zh"] as const) {
    const talks = SAMPLE.filter((talk) => talk.language === language);
    const shares = await measure(talks.map(linesOf));
    const seen = await judgeAll(talks.filter(({ part }) => part === "A"));
    const unseen = await judgeAll(talks.filter(({ part }) => part === "B"));
    const given = seen.right + unseen.right + seen.wrong + unseen.wrong;
    const turns = talks.reduce((sum, talk) => sum + talk.turns.length, 0);
    const of = `${shares.count} restatements of ${turns} turns of our own, ${language}`;
    rows.push(
      {
        what: `without a pronoun (${language})`,
        value: 100 * shares.plain,
        bar: atLeast(60, "%"),
        measured: of,
      },
      {
        what: `without a relative time (${language})`,
        value: 100 * shares.timed,
        bar: atLeast(99, "%"),
        measured: of,
      },
      {
        what: `wrong names among those given for a pronoun (${language})`,
        value: (100 * (seen.wrong + unseen.wrong)) / given,
        bar: atMost(5, "%"),
        measured: `${print("while the rules were written", seen)}; ${print("written afterwards", unseen)}`,
      },
    );
  }
  if (data === undefined) return rows;
  const talks = (await locomoCases(data)).map(({ turns }) => turns.map(lineOf));
  const { count, plain, timed } = await measure(talks);
  const measured = `${count} restatements of ${talks.flat().length} turns; ${(100 * plain).toFixed(0)} % are without a pronoun`;
  const what = "without a relative time (LoCoMo)";
  return [...rows, { what, value: 100 * timed, bar: atLeast(99, "%"), measured }];
}

const ENGLISH_PRONOUN =
  /\b(?:i|me|my|mine|myself|you|your|yours|he|him|his|she|hers?|it|its|they|them|theirs?|we|us|ours?|let['’]s)\b|\bthere\b(?!['’]s| (?:is|are|was|were|will|has|have|had|may|might|can|could|must|should)\b)/iu;
const CHINESE_PRONOUN = /(?<!自|忘)我(?!国)|[你您他她它]|咱|那里|那儿|那边/u;
/** Days, weeks, months and years told from the day they were said; "recently" and "soon" tell none. */
const RELATIVE_TIME =
  /\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this(?: past| coming)?|past|coming) (?:week(?:end)?|month|year|night|evening|morning|afternoon|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|(?:days?|weeks?|months?|years?|hours?|minutes?) ago|in an? (?:hour|day|week|month|year)|in (?:two|three|four|five|a few|a couple of|\d+) (?:days|weeks|months|years))\b|[昨今明后]天|前天|今[早晚]|昨晚|明[早晚]|[上下这本](?:个)?(?:周|星期|礼拜|月)|去年|明年|今年|[天周月年]前(?!后)|(?:天|周|个月|年)[之以]?后/iu;

function hasPronoun(text: string): boolean {
  const bare = text.replace(/"[^"]*"|“[^”]*”|「[^」]*」|《[^》]*》/gu, "");
  return ENGLISH_PRONOUN.test(bare) || CHINESE_PRONOUN.test(bare);
}

/** Turns that SimpleMem reads together. */
const WINDOW = 40;

/** Shares of all restatements. */
async function measure(
  talks: readonly (readonly Line[])[],
): Promise<{ readonly count: number; readonly plain: number; readonly timed: number }> {
  const texts: string[] = [];
  for (const lines of talks) {
    for (let start = 0; start < lines.length; start += WINDOW) {
      const facts = await dialogueFacts(lines.slice(start, start + WINDOW));
      texts.push(...facts.map(({ text }) => text));
    }
  }
  const share = (fits: (text: string) => boolean): number => texts.filter(fits).length / texts.length;
  return {
    count: texts.length,
    plain: share((text) => !hasPronoun(text)),
    timed: share((text) => !RELATIVE_TIME.test(text)),
  };
}

interface Judged {
  readonly right: number;
  readonly wrong: number;
  readonly left: number;
}

async function judgeAll(talks: readonly SampleTalk[]): Promise<Judged> {
  const judged = await Promise.all(talks.map(judge));
  const sum = (of: keyof Judged): number => judged.reduce((total, one) => total + one[of], 0);
  return { right: sum("right"), wrong: sum("wrong"), left: sum("left") };
}

/** Every labelled pronoun of the third person: replaced rightly, wrongly, or left; what no label knows is wrong. */
async function judge(talk: SampleTalk): Promise<Judged> {
  const lines = linesOf(talk);
  let [right, wrong, left] = [0, 0, 0];
  for (const [place, { text, means = {} }] of talk.turns.entries()) {
    const { replaced } = restated(text, await talkAt(lines, place));
    const by = new Map(replaced.map((one) => [one.pronoun.toLowerCase(), one.by]));
    for (const [pronoun, meant] of Object.entries(means)) {
      if (OTHER_PERSON.test(pronoun)) continue;
      const given = by.get(pronoun);
      if (given === undefined) left++;
      else if (meant?.some((name) => given.includes(name))) right++;
      else wrong++;
    }
    wrong += [...by.keys()].filter((pronoun) => means[pronoun] === undefined).length;
  }
  return { right, wrong, left };
}

const OTHER_PERSON = /^(?:you|let's|你)$/;

function linesOf({ at, turns }: SampleTalk): Line[] {
  return turns.map(({ speaker, text }, place) => ({
    speaker,
    text,
    captions: [],
    happenedAt: Date.parse(at) + place * 60_000,
    zone: "UTC",
  }));
}

function lineOf({ speaker = "", text, happenedAt }: LabTurn): Line {
  return { speaker, text, captions: [], happenedAt, zone: "UTC" };
}

function print(which: string, { right, wrong, left }: Judged): string {
  return `talk ${which}: ${right} right, ${wrong} wrong, ${left} left as pronouns`;
}
