/** Every design on LoCoMo, as many at a time as there are cores, and the table that shows them. */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { figure } from "../report.ts";
import { type LocomoScores, TOP_K } from "./locomo.ts";

export interface LocomoRun {
  readonly data: string;
  /** How many of the conversations, from the first on. */
  readonly conversations: number;
  readonly presets: readonly string[];
}

type Told = { readonly scores: LocomoScores } | { readonly failed: string };

/** In the order of the presets. One that fails is told of and left out. */
export async function locomo(
  { data, conversations, presets }: LocomoRun,
  say: (line: string) => void,
): Promise<LocomoScores[]> {
  const waiting = [...presets];
  const done = new Map<string, LocomoScores>();
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL("./locomo-worker.ts", import.meta.url), {
      workerData: { data, conversations },
    });
    for (let preset = waiting.shift(); preset !== undefined; preset = waiting.shift()) {
      worker.postMessage(preset);
      const [told]: Told[] = await once(worker, "message");
      if (told !== undefined && "scores" in told) done.set(preset, told.scores);
      say(told === undefined || "failed" in told ? `${told?.failed} (left out)` : progressLine(told.scores));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), presets.length) }, work));
  return presets.flatMap((preset) => done.get(preset) ?? []);
}

function progressLine({ preset, at, msPerTurn, msPerQuestion }: LocomoScores): string {
  return `${preset}: R@10 ${at[10].toFixed(1)}, ${figure(msPerTurn)} ms a turn, ${figure(msPerQuestion)} ms a question`;
}

/** A Markdown table, the best within ten turns first: a summary of everything would else come before every search. */
export function locomoTable(scores: readonly LocomoScores[]): string {
  const head = [
    ...["preset", "R@5", "R@10", `R@${TOP_K}`, "R@10 by category 1 / 2 / 3 / 4", "R@10 turns", "all given"],
    ...["turns of 10 hits", "tokens of 10 hits", "tokens of all", "memories", "ms / turn", "ms / question"],
  ];
  const lines = scores
    .toSorted((a, b) => b.inTenTurns - a.inTenTurns)
    .map((one) => [
      ...[one.preset, percent(one.at[5]), percent(one.at[10]), percent(one.at[20])],
      ...[one.byCategory.map(percent).join(" / "), percent(one.inTenTurns), percent(one.anywhere)],
      ...[one.turnsOfTen.toFixed(1), figure(Math.round(one.tokensOfTen)), figure(Math.round(one.tokens))],
      ...[String(one.memories), figure(one.msPerTurn), figure(one.msPerQuestion)],
    ]);
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function percent(value: number): string {
  return value.toFixed(1);
}
