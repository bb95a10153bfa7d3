/**
 * What is a data set to the laboratory? Cases that know nothing of each other, each a stream of turns and the questions that
 * are asked of it. Labels speak of turns by the names the data set gives them (`ref`), never by their text.
 *
 * Laws every loader keeps:
 * - the turns of a case are in the order in which they were said, and no two have the same ref;
 * - evidence names turns of its own case only; what names none is counted in `leftOut` under its reason, not dropped;
 * - a question without labels is there with empty labels: what cannot be measured of it is left out, not counted as found.
 */
import type { NewTurn } from "../base/turn.ts";

export const DATASET_KINDS = ["locomo", "longmemeval", "multihop", "factconsolidation", "realmem"] as const;
export type DatasetKind = (typeof DATASET_KINDS)[number];

export interface LabTurn extends NewTurn {
  /** The turn's name in the labels, unique in its case: "3:14". */
  readonly ref: string;
  readonly session: string;
}

export interface Labels {
  /** Turns that hold what the answer needs, by ref; [] where the data set names none. */
  readonly evidence: readonly string[];
  /** Sessions that hold them; [] likewise. */
  readonly sessions: readonly string[];
  /** Any of them is right; [] where none is known. */
  readonly answers: readonly string[];
}

export interface LabQuestion extends Labels {
  /** Unique in the data set. */
  readonly id: string;
  readonly text: string;
  /** As the data set numbers or names it: "1" … "5", "temporal-reasoning". Compared by id, never renamed. */
  readonly category: string;
  /** When it is asked (epoch ms); unsaid: when the last turn before it was said. */
  readonly askedAt?: number | undefined;
  /** It is asked when so many turns have been said; unsaid: at the end of the stream. */
  readonly after?: number | undefined;
  /** "abstain": the case does not tell, and saying so is right. */
  readonly expects: "answer" | "abstain";
  /** What a careless reader would answer (LoCoMo's adversarial answers): never the truth. */
  readonly trap?: string | undefined;
  /** Of a value that changed: what holds at the end, and what held before. */
  readonly values?: { readonly newest: string; readonly older: readonly string[] } | undefined;
  /** What an audit corrected; measured beside the original labels. */
  readonly corrected?: Partial<Labels> | undefined;
}

export interface LabCase {
  /** Unique in the data set. */
  readonly id: string;
  readonly turns: readonly LabTurn[];
  readonly questions: readonly LabQuestion[];
}

export interface Dataset {
  readonly kind: DatasetKind;
  /** The name of its (first) file without folder and endings: what a run is called by. */
  readonly name: string;
  /** SHA-256 of the bytes of its files, unpacked, in the order given. */
  readonly hash: string;
  readonly cases: readonly LabCase[];
  /** Reason → how many questions or labels were left out for it. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Names and triples that a model once read out of the passages, by ref (multihop, where recorded). */
  readonly recorded?: ReadonlyMap<string, RecordedKnowledge> | undefined;
}

export interface RecordedKnowledge {
  readonly entities: readonly string[];
  readonly triples: readonly (readonly [string, string, string])[];
}
