/** Where do answers lie? In `answers.jsonl` beside the results of the run, written line by line, so that a stopped run goes on. */
import { MemoryError } from "../../base/errors.ts";
import { jsonObjectSchema } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { jsonlFile } from "../../models/jsonl-file.ts";
import { keyOf } from "../report/run.ts";
import {
  type AnswerLine,
  type AnswersHead,
  type AnswersLine,
  answersLineSchema,
  type PlantedLine,
} from "./answer-line.ts";

export interface AnswersFile {
  /** By question, as it was answered last; those that failed are among them with their error. */
  readonly answers: ReadonlyMap<string, AnswerLine>;
  /** By rule and question. */
  readonly planted: ReadonlyMap<string, PlantedLine>;
  append(line: AnswersLine): Promise<void>;
}

/** What is there of the same asking; something else under the same name is refused, unless it may be replaced. */
export async function openAnswers(path: string, head: AnswersHead, isFresh: boolean): Promise<AnswersFile> {
  const file = jsonlFile(path);
  if (isFresh) await file.replace([]);
  const { values } = await file.read();
  const lines = values.map((value) =>
    parseInput(answersLineSchema, value, `line of ${path}`, "storage_corrupt"),
  );
  const known = lines.find((line) => line.type === "head");
  if (known === undefined) await file.append([{ ...head }]);
  else checkHead(known, head, path);
  return {
    answers: new Map(lines.filter((line) => line.type === "answer").map((line) => [keyOf(line), line])),
    planted: new Map(lines.filter((line) => line.type === "planted").map((line) => [plantKey(line), line])),
    append: (line) => file.append([parseInput(jsonObjectSchema, line, "line of answers")]),
  };
}

export function plantKey({ rule, ...line }: Pick<PlantedLine, "rule" | "case" | "question">): string {
  return `${rule} ${keyOf(line)}`;
}

function checkHead(known: AnswersHead, head: AnswersHead, path: string): void {
  const before = new Map<string, unknown>(Object.entries(known));
  const differing = Object.entries(head)
    .filter(([name, value]) => before.get(name) !== value)
    .map(([name, value]) => `${name} was ${String(before.get(name))} and is ${String(value)}`);
  if (differing.length === 0) return;
  throw new MemoryError(
    "version_conflict",
    `The answers in ${path} were asked for otherwise: ${differing.join("; ")}. Valid: the same as before, or a fresh start (--fresh), which replaces them.`,
  );
}
