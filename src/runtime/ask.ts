/**
 * The answer to a question from memory and nothing else, with what it rests on. Where nothing is found nobody is asked;
 * without a model the memories are quoted, unless the design doubts that the answer is among them.
 */
import type { Scope } from "../base/scope.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { FoundHit } from "../pipeline/question.ts";
import { answer as answerTask, NO_INFORMATION } from "../tasks/answer.ts";
import type { MemoryText } from "../tasks/dialogue.ts";
import { plainText } from "../tasks/rules/statement.ts";
import { runTask } from "../tasks/run-task.ts";
import { type RecallOptions, recall } from "./recall.ts";
import type { Running } from "./running.ts";

export interface Answer {
  readonly answer: string;
  readonly reasoning: string;
  /** Whether the memory knows nothing of it. */
  readonly isUnknown: boolean;
  /** The memories it rests on. */
  readonly evidence: readonly FoundHit[];
  /** Who answered. */
  readonly path: "model" | "local";
  readonly recalled: RetrieveResult;
}

export async function ask(
  running: Running,
  scope: Scope,
  question: string,
  options: RecallOptions = {},
): Promise<Answer> {
  const recalled = await recall(running, scope, question, options);
  const { signal } = options;
  const { hits, confidence, isDoubtful } = recalled;
  const { at: happenedAt, zone } = recalled.question;
  const memories = hits.map((hit) => asMemory(hit, zone));
  const isLikely = confidence !== null && confidence > 0.5;
  const given = { question, memories, happenedAt, zone, isDoubtful, isLikely };
  const { reply, path } = await runTask(answerTask, given, {
    ...running.design.thinking,
    // Whoever asks is waiting: better an answer by rules than none.
    onModelDown: "fallback",
    scope,
    signal,
  });
  const { answer, reasoning } = reply;
  const evidence = [...new Set(reply.evidence)].flatMap((number) => hits[number] ?? []);
  return { answer, reasoning, isUnknown: isNothingKnown(answer), evidence, path, recalled };
}

function asMemory({ text, happenedAt, metadata }: FoundHit, zone: string): MemoryText {
  const word = (name: string): string | undefined => {
    const value = metadata[name];
    return typeof value === "string" ? value : undefined;
  };
  const words = (name: string): string[] => {
    const value = metadata[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  };
  return {
    text,
    happenedAt,
    zone,
    location: word("location"),
    topic: word("topic"),
    persons: words("persons"),
    entities: words("entities"),
  };
}

/** In whichever of the prompts' languages it is said. */
function isNothingKnown(answer: string): boolean {
  return Object.values(NO_INFORMATION).some((known) => plainText(known) === plainText(answer));
}
