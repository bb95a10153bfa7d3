/**
 * What would it cost to take these turns up with a model? Calls, tokens and, where a price is given, money, before any model
 * is asked: a sample goes through the design in memory, where nobody answers and everything that would have been asked is
 * counted. The design then goes on by its rules, so later calls are those that the rules' replies lead to; a model that says
 * more leads to more. A talk with tools counts as its first step. The sample is embedded as always; that is not counted.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import { parseScope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { NewTurn } from "../base/turn.ts";
import { estimateChat } from "../models/estimate.ts";
import type { ChatModel } from "../models/model.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import { openInMemory } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { estimateTokens } from "../text/token-count.ts";
import { derive } from "./derive.ts";
import type { Running } from "./running.ts";

export interface EstimateOptions {
  /** Most turns that are really tried, the first; the rest is reckoned from them. @default 100 */
  readonly sample?: number | undefined;
  /** Money per million tokens, in any currency. */
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Estimate {
  readonly turns: number;
  /** Turns that were tried: of a part of the turns only those that fill windows. */
  readonly sampled: number;
  readonly calls: number;
  readonly inputTokens: number;
  /** A guess from the replies that rules would give. */
  readonly outputTokens: number;
  readonly money: number | null;
  readonly byTask: Readonly<Record<string, TaskCost>>;
}

interface TaskCost {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const optionsSchema = z.strictObject({
  sample: z.int().min(1).optional(),
  price: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

const SCOPE = parseScope("estimate");

export async function estimate(
  running: Running,
  turns: readonly (string | NewTurn)[],
  options: EstimateOptions = {},
): Promise<Estimate> {
  const { sample = 100, price, signal } = parseInput(optionsSchema, options, "options of estimate");
  parseInput(z.array(z.unknown()), turns, "list of turns");
  const said = turns.map((turn) => (typeof turn === "string" ? { text: turn } : turn));
  const meter = startMeter();
  const sampled = await tryOut(running, said.slice(0, sample), said.length > sample, meter, signal);
  const share = sampled === 0 ? 0 : said.length / sampled;
  const costs = [...meter.costs].map(([task, cost]): [string, TaskCost] => [
    task,
    {
      calls: Math.round(cost.calls * share),
      inputTokens: Math.round(cost.inputTokens * share),
      outputTokens: Math.round(cost.outputTokens * share),
    },
  ]);
  const sum = (part: keyof TaskCost): number => costs.reduce((all, [, cost]) => all + cost[part], 0);
  const [inputTokens, outputTokens] = [sum("inputTokens"), sum("outputTokens")];
  return {
    turns: said.length,
    sampled,
    calls: sum("calls"),
    inputTokens,
    outputTokens,
    money: price === undefined ? null : (inputTokens * price.input + outputTokens * price.output) / 1_000_000,
    byTask: Object.fromEntries(costs),
  };
}

/** How many turns were taken up. */
async function tryOut(
  { options, design, clock }: Running,
  turns: readonly NewTurn[],
  isPart: boolean,
  meter: Meter,
  signal: AbortSignal | undefined,
): Promise<number> {
  const storage: Storage = await openInMemory({ clock });
  let trial: OpenPreset | undefined;
  try {
    trial = await openPreset(
      // Whatever the design does when a model fails, here the rules go on at once.
      { ...design.preset, on_model_down: "fallback", on_bad_reply: "fallback" },
      {
        ...options,
        storage,
        model: meter.model(design.thinking.model),
        embedder: design.embedder,
        trace: meter.hear,
      },
    );
    await appendTurns(storage, SCOPE, turns, clock);
    const whole = await derive(trial, storage, SCOPE, { finish: !isPart, signal });
    if (whole.turns > 0 || !isPart) return whole.turns;
    return (await derive(trial, storage, SCOPE, { finish: true, signal })).turns;
  } finally {
    await trial?.close();
    await storage.close();
  }
}

interface Meter {
  readonly costs: ReadonlyMap<string, TaskCost>;
  /** Takes the place of a model and asks nobody; what it is asked looks as for the one it stands for. */
  model(like: ChatModel | undefined): ChatModel;
  hear(event: TraceEvent): void;
}

function startMeter(): Meter {
  const costs = new Map<string, TaskCost>();
  const add = (task: string, more: TaskCost): void => {
    const known = costs.get(task) ?? { calls: 0, inputTokens: 0, outputTokens: 0 };
    costs.set(task, {
      calls: known.calls + more.calls,
      inputTokens: known.inputTokens + more.inputTokens,
      outputTokens: known.outputTokens + more.outputTokens,
    });
  };
  return {
    costs,
    model: (like) => ({
      id: "estimate",
      provider: "none",
      json: like?.json ?? "schema",
      async generate(request, { task = "chat" } = {}) {
        const { inputTokens } = estimateChat(request, estimateTokens);
        add(task, { calls: 1, inputTokens, outputTokens: 0 });
        throw new MemoryError("model_unavailable", "Nobody is asked while the cost is estimated.");
      },
    }),
    hear(event) {
      if (event.type !== "task-run" || event.replyTokens === undefined) return;
      add(event.task, { calls: 0, inputTokens: 0, outputTokens: event.replyTokens });
    },
  };
}
