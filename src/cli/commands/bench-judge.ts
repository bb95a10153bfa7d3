/** What would a model answer from what was recalled, and is it right? */
import type { Command } from "../command.ts";

export const benchJudge: Command = {
  name: "bench judge",
  summary: {
    en: "let a model answer a run's questions, and two judges judge the answers",
    zh: "让模型回答一次运行中的问题，并由两位评判打分",
  },
  details: {
    en: `Answers are written from what the run recalled and nothing else; the run's own results stay as they are. Beside the judges'
scores stand the F1 of words and the share of planted wrong answers that each judge lets pass. What was answered is kept
in answers.jsonl: the same command goes on where it was stopped.

  neuromem bench judge results/neuromem__locomo10 --model openai:gpt-4.1-mini --judge openai:gpt-4.1`,
    zh: `回答只依据该次运行召回的内容；运行本身的结果保持不变。除评判得分外，还给出词级 F1，以及每位评判放过的预埋错误答案的比例。
已有的回答保存在 answers.jsonl：用同一命令即可从中断处继续。

  neuromem bench judge results/neuromem__locomo10 --model openai:gpt-4.1-mini --judge openai:gpt-4.1`,
  },
  arguments: [
    {
      name: "RUN_FOLDER",
      summary: {
        en: "the folder of one run, as bench run writes it",
        zh: "一次运行的文件夹，由 bench run 写出",
      },
    },
  ],
  options: {
    model: {
      value: "ENDPOINT:MODEL",
      summary: {
        en: "who answers, as openai:gpt-4.1-mini; keys come from the environment",
        zh: "由谁回答，如 openai:gpt-4.1-mini；密钥取自环境变量",
      },
    },
    "base-url": {
      value: "URL",
      summary: { en: "another address of that model's server", zh: "该模型服务器的其他地址" },
    },
    judge: {
      value: "ENDPOINT:MODEL",
      summary: { en: "who judges; else who answers", zh: "由谁评判；否则与回答者相同" },
    },
    "judge-base-url": {
      value: "URL",
      summary: { en: "another address of the judge's server", zh: "评判模型服务器的其他地址" },
    },
    hits: {
      value: "N",
      summary: {
        en: "show so many hits only; else all that were recalled",
        zh: "只展示前 N 条召回；默认全部",
      },
    },
    planted: {
      value: "N",
      default: "100",
      summary: { en: "most wrong answers to try the judges with", zh: "最多用多少个错误答案检验评判" },
    },
    seed: { value: "N", default: "7", summary: { en: "of what is drawn", zh: "随机种子" } },
    "price-in": {
      value: "MONEY",
      summary: { en: "of a million tokens read by who answers", zh: "回答模型每百万输入词元的价格" },
    },
    "price-out": {
      value: "MONEY",
      summary: { en: "of a million tokens written by who answers", zh: "回答模型每百万输出词元的价格" },
    },
    "judge-price-in": {
      value: "MONEY",
      summary: {
        en: "the same for who judges, if it is another model",
        zh: "评判模型的同类价格（若为另一模型）",
      },
    },
    "judge-price-out": {
      value: "MONEY",
      summary: {
        en: "the same for who judges, if it is another model",
        zh: "评判模型的同类价格（若为另一模型）",
      },
    },
    fresh: {
      summary: {
        en: "throw away what another model or prompt answered before",
        zh: "丢弃此前由其他模型或提示词得到的回答",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/bench-judge.ts")).judgeAnswers(given, terminal),
};
