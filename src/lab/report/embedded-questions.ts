/**
 * What of the questions goes into the page? All of them as they were asked last, each memory's text once however often it was
 * found, so that many runs of a thousand questions stay a page that opens at once. What is too much is cut step by step, and the
 * page says so; results.jsonl has everything.
 */
import type { QuestionLine } from "../result.ts";
import type { Group } from "./group-runs.ts";
import { frontMeasures } from "./measure-names.ts";
import { keyOf, MOST_HITS } from "./run.ts";

export interface EmbeddedGroup {
  readonly id: string;
  readonly name: string;
  readonly measures: readonly string[];
  readonly main: number;
  readonly questions: readonly EmbeddedQuestion[];
  /** Refs, and the beginning of the text. */
  readonly memories: readonly (readonly [readonly string[], string])[];
  readonly runs: readonly { readonly label: string; readonly lines: readonly EmbeddedLine[] }[];
}

export interface EmbeddedQuestion {
  readonly case: string;
  readonly id: string;
  readonly text: string;
  readonly category: string;
  readonly abstains: boolean;
  readonly evidence: readonly string[];
  readonly answers: readonly string[];
}

/** Short names: there is one for every question of every run. */
export interface EmbeddedLine {
  /** Place of the question. */
  readonly q: number;
  /** Values, in the order of the measures; by the corrected labels, where they differ. */
  readonly m: readonly (number | null)[];
  readonly c?: readonly (number | null)[];
  /** Place of the memory, score, tokens. */
  readonly h: readonly (readonly [number, number, number])[];
  readonly a?: string;
  readonly e?: string;
}

export interface Embedded {
  readonly groups: readonly EmbeddedGroup[];
  readonly cut: Cut;
}

export interface Cut {
  readonly hits: number;
  readonly text: number;
  /** Of each data set; null: all. */
  readonly questions: number | null;
}

/** Each smaller than the one before it. */
const CUTS: readonly Cut[] = [
  { hits: MOST_HITS, text: 300, questions: null },
  { hits: MOST_HITS, text: 150, questions: null },
  { hits: 5, text: 100, questions: null },
  { hits: 5, text: 100, questions: 500 },
  { hits: 5, text: 100, questions: 200 },
  { hits: 3, text: 60, questions: 50 },
];

export function embedQuestions(groups: readonly Group[], mostBytes: number): Embedded {
  let smallest: Embedded = { groups: [], cut: { hits: 0, text: 0, questions: 0 } };
  for (const cut of CUTS) {
    smallest = { groups: groups.map((group) => embedGroup(group, cut)), cut };
    if (Buffer.byteLength(JSON.stringify(smallest)) <= mostBytes) break;
  }
  return smallest;
}

function embedGroup({ id, dataset, measures, main, runs }: Group, cut: Cut): EmbeddedGroup {
  const shown = frontMeasures(measures);
  const questions = new Places<EmbeddedQuestion>();
  const memories = new Places<readonly [readonly string[], string]>();
  const values = (of: QuestionLine["measures"]): (number | null)[] => shown.map((name) => of[name] ?? null);
  const embedded = runs.map((run) => ({
    label: run.label,
    lines: run.questions.flatMap((line): EmbeddedLine[] => {
      const q = questions.of(keyOf(line), () => embedQuestion(line, cut.text));
      if (cut.questions !== null && q >= cut.questions) return [];
      return [
        {
          q,
          m: values(line.measures).map(rounded),
          ...(line.corrected === undefined ? {} : { c: values(line.corrected).map(rounded) }),
          h: line.hits.slice(0, cut.hits).map(({ refs, text, score, tokens }) => {
            const beginning = begin(text, cut.text);
            const memory = memories.of(JSON.stringify([refs, beginning]), () => [refs, beginning]);
            return [memory, Number(score.toPrecision(4)), tokens] as const;
          }),
          ...(line.answer === undefined ? {} : { a: begin(line.answer, cut.text) }),
          ...(line.error === undefined ? {} : { e: begin(line.error, cut.text) }),
        },
      ];
    }),
  }));
  return {
    id,
    name: dataset.name,
    measures: shown,
    main: Math.max(0, shown.indexOf(main ?? "")),
    questions: questions.all.slice(0, cut.questions ?? undefined),
    memories: memories.all,
    runs: embedded,
  };
}

function embedQuestion(line: QuestionLine, text: number): EmbeddedQuestion {
  return {
    case: line.case,
    id: line.question,
    text: begin(line.text, 2 * text),
    category: line.category,
    abstains: line.expects === "abstain",
    evidence: line.evidence.slice(0, 50),
    answers: line.answers.slice(0, 5).map((answer) => begin(answer, text)),
  };
}

/** Things in the order in which they came, each once. */
class Places<Thing> {
  readonly all: Thing[] = [];
  readonly #places = new Map<string, number>();

  of(key: string, make: () => Thing): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.all.length);
    return this.all.push(make()) - 1;
  }
}

/** No character is cut in two. */
function begin(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(4));
}
