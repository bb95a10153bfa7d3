/** A run's questions answered by a model, and the answers judged: figures with their intervals, and what it cost. */
import { MemoryError } from "../../base/errors.ts";
import { judgeRun } from "../../lab/judge/judge-run.ts";
import type { JudgedRun } from "../../lab/judge/judged-run.ts";
import { JUDGE_NAMES } from "../../lab/judge/judges.ts";
import { count, money, percentInterval } from "../../lab/report/figures.ts";
import type { Estimate, ModelUse } from "../../lab/result.ts";
import type { ChatModel } from "../../models/model.ts";
import { openNamedModel } from "../../models/named-model.ts";
import type { Price, Prices } from "../../models/prices.ts";
import { benchUnderway } from "../bench-underway.ts";
import type { Given } from "../command.ts";
import { amount, wholeFromZero, wholeNumber } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd } from "../text-width.ts";

const QUESTIONS = { en: "questions", zh: "个问题" };

export async function judgeAnswers(given: Given, terminal: Terminal): Promise<number> {
  const folder = given.argument("RUN_FOLDER");
  const model = modelOf(given, terminal, "model", "base-url");
  if (model === undefined)
    throw new MemoryError(
      "option_invalid",
      "Without a model nothing is answered and nothing is judged. Valid: --model ENDPOINT:MODEL, as openai:gpt-4.1-mini.",
    );
  const judge = modelOf(given, terminal, "judge", "judge-base-url") ?? model;
  const options = {
    ...{ model, judge, prices: pricesOf(given, model, judge), isFresh: given.isSet("fresh") },
    ...{
      hits: wholeNumber(given, "hits"),
      seed: wholeFromZero(given, "seed"),
      planted: wholeFromZero(given, "planted"),
    },
  };
  const judged = await benchUnderway(terminal, QUESTIONS, ({ signal, reach }) => {
    let [done, all] = [0, 0];
    return judgeRun(folder, {
      ...options,
      signal,
      onBegin: (total) => {
        all = total;
      },
      onDone: () => reach(++done, all),
    });
  });
  terminal.give(judged);
  sayJudged(judged, folder, terminal);
  return 0;
}

function modelOf(given: Given, { env }: Terminal, option: string, address: string): ChatModel | undefined {
  const [asked, baseUrl] = [given.text(option), given.text(address)];
  if (asked !== undefined) return openNamedModel(asked, { env, baseUrl });
  if (baseUrl === undefined) return undefined;
  throw new MemoryError("option_invalid", `--${address} is of no use alone. Valid: --${option} with it.`);
}

function pricesOf(given: Given, model: ChatModel, judge: ChatModel): Prices {
  const own = priceOf(given, "price-in", "price-out");
  const other = priceOf(given, "judge-price-in", "judge-price-out");
  if (other !== undefined && judge.id === model.id)
    throw new MemoryError(
      "option_invalid",
      `${model.id} both answers and judges, and has one price. Valid: --price-in and --price-out alone.`,
    );
  return { ...(own && { [model.id]: own }), ...(other && { [judge.id]: other }) };
}

function priceOf(given: Given, read: string, written: string): Price | undefined {
  const [inputPerMillion, outputPerMillion] = [amount(given, read), amount(given, written)];
  if (inputPerMillion === undefined && outputPerMillion === undefined) return undefined;
  if (inputPerMillion === undefined || outputPerMillion === undefined)
    throw new MemoryError("option_invalid", `A price has two sides. Valid: --${read} with --${written}.`);
  return { inputPerMillion, outputPerMillion };
}

function sayJudged(judged: JudgedRun, folder: string, { say, text, paint }: Terminal): void {
  const { overall, abstain, byCategory, falsePositives, failed, cost, models } = judged;
  const row = (label: string, values: Readonly<Record<string, Estimate>>): void => {
    const [first] = Object.values(values);
    if (first === undefined) return;
    say(
      `  ${padEnd(label, 22)} ${MEASURES.map((name) => padEnd(shown(values[name]), 20)).join(" ")}`.trimEnd(),
    );
  };
  say(
    paint(
      "bold",
      `${judged.run} · ${models.answer} · ${text({ en: "judged by", zh: "评判：" })} ${models.judge}`,
    ),
  );
  say(paint("dim", `  ${padEnd("", 22)} ${MEASURES.map((name) => padEnd(name, 20)).join(" ")}`.trimEnd()));
  row(text({ en: "expects an answer", zh: "应有答案" }), overall);
  row(text({ en: "nothing is told", zh: "应答不知道" }), abstain);
  for (const [category, values] of Object.entries(byCategory))
    row(`  ${text({ en: "category", zh: "类别" })} ${category}`, values);
  say();
  say(paint("bold", text({ en: "Wrong answers that judges let pass", zh: "评判放过的错误答案" })));
  for (const name of JUDGE_NAMES) {
    const parts = Object.entries(falsePositives[name]).map(([rule, value]) => `${rule} ${shown(value)}`);
    say(`  ${padEnd(name, 14)} ${parts.join(" · ") || "–"}`);
  }
  say();
  for (const [name, use] of Object.entries(cost)) say(paint("dim", `  ${padEnd(name, 10)} ${useText(use)}`));
  for (const [code, times] of Object.entries(failed))
    say(paint("yellow", `  ${text({ en: "failed", zh: "失败" })}: ${code} × ${times}`));
  say(paint("dim", `  ${folder}/answers.jsonl, answers.json`));
}

const MEASURES = ["f1", "answer_contains", "judge_lenient", "judge_strict"] as const;

function shown(value: Estimate | undefined): string {
  return value === undefined ? "–" : percentInterval(value);
}

/** The same in every language: calls, tokens read → written, money where prices were given. */
function useText(use: ModelUse): string {
  const { calls, inputTokens, outputTokens } = use;
  return `${count(calls)} × · ${count(inputTokens)} → ${count(outputTokens)} · ${money(use)}`;
}
