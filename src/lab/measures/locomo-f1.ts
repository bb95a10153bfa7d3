/**
 * How good is an answer, as LoCoMo's authors score it (Maharana et al., ACL 2024)? F1 over stems that both have, each as often
 * as both have it, with a rule of its own for some categories. Other papers' "F1 on LoCoMo" is computed otherwise.
 */
import { porterStem } from "./porter-stem.ts";

/** 1 several hops, 2 time, 3 open domain, 4 one hop, 5 what the conversation does not tell. */
export type LocomoCategory = 1 | 2 | 3 | 4 | 5;

/** 0 to 1. `answer`: the reference; for category 5 it is not looked at. */
export function locomoScore(prediction: string, answer: string, category: LocomoCategory): number {
  switch (category) {
    case 1:
      return f1OfParts(prediction, answer);
    case 2:
    case 4:
      return stemF1(prediction, answer);
    case 3:
      return stemF1(prediction, answer.split(";", 1)[0] ?? "");
    case 5:
      return /no information available|not mentioned/i.test(prediction) ? 1 : 0;
  }
}

export function stemF1(prediction: string, answer: string): number {
  const said = stemsOf(prediction);
  const wanted = stemsOf(answer);
  const left = new Map<string, number>();
  for (const stem of wanted) left.set(stem, (left.get(stem) ?? 0) + 1);
  let shared = 0;
  for (const stem of said) {
    const count = left.get(stem) ?? 0;
    if (count === 0) continue;
    left.set(stem, count - 1);
    shared++;
  }
  return shared === 0 ? 0 : (2 * shared) / (said.length + wanted.length);
}

/** Every part of the reference counts the same, with the part of the answer that fits it best. */
function f1OfParts(prediction: string, answer: string): number {
  const said = prediction.split(",").map((part) => part.trim());
  const wanted = answer.split(",").map((part) => part.trim());
  const best = wanted.map((part) => Math.max(...said.map((one) => stemF1(one, part))));
  return best.reduce((sum, score) => sum + score, 0) / best.length;
}

/** Commas first, then case, ASCII punctuation, and the words a, an, the, and. */
export function normalizeAnswer(text: string): string {
  return (
    text
      .replaceAll(",", "")
      .toLowerCase()
      .replace(/[!-/:-@[-`{-~]/g, "")
      // Words as Python sees them: JavaScript's \b would find an article at the end of "España".
      .replace(/(?<![\p{L}\p{N}])(?:a|an|the|and)(?![\p{L}\p{N}])/gu, " ")
      .trim()
      .split(/\s+/)
      .join(" ")
  );
}

function stemsOf(text: string): string[] {
  return normalizeAnswer(text)
    .split(" ")
    .filter((word) => word !== "")
    .map(porterStem);
}
