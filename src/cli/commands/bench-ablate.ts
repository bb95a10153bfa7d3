/** Which part of a design earns its keep? */
import { DEFAULT_PRESET } from "../../preset/default-preset.ts";
import type { Command } from "../command.ts";

export const benchAblate: Command = {
  name: "bench ablate",
  summary: {
    en: "replace one part of a design at a time, and tell what it changes",
    zh: "每次替换设计的一个部分，并报告带来的变化",
  },
  details: {
    en: `Five dimensions in order of difficulty: pre_retrieval, post_retrieval, pre_insert, post_insert, service. In each, everything
that could stand there is tried with its recommended values, all else stays; what the loader refuses is listed with its
reason. Differences are taken question by question; of many, one in twenty is told from chance by chance alone.

  neuromem bench ablate --preset neuromem --dataset locomo=locomo10.json --dimensions post_retrieval
  neuromem bench ablate --preset hipporag --plan-only`,
    zh: `五个维度，由易到难：pre_retrieval、post_retrieval、pre_insert、post_insert、service。每个维度逐一试用所有可用的动作（取推荐值），其余不变；
加载器拒绝的组合会连同原因列出。差异逐题比较；比较很多时，约二十分之一会仅因偶然而显得不同。

  neuromem bench ablate --preset neuromem --dataset locomo=locomo10.json --dimensions post_retrieval
  neuromem bench ablate --preset hipporag --plan-only`,
  },
  arguments: [],
  options: {
    preset: {
      value: "NAME",
      default: DEFAULT_PRESET,
      summary: { en: "the design: a preset's name, or the path of a file", zh: "设计：预设名，或文件路径" },
    },
    dataset: {
      value: "KIND=PATH",
      summary: { en: "the data, as for bench run", zh: "数据，同 bench run" },
    },
    dimensions: {
      value: "LIST",
      summary: { en: "only these, as pre_retrieval,service", zh: "只比较这些维度，如 pre_retrieval,service" },
    },
    "plan-only": {
      summary: { en: "say what would be run, and run nothing", zh: "只列出计划，不运行" },
    },
    measure: {
      value: "LIST",
      summary: {
        en: "what is compared, as recall@10,mrr; else the data set's main measures",
        zh: "比较哪些指标，如 recall@10,mrr；默认取数据集的主要指标",
      },
    },
    model: {
      value: "ENDPOINT:MODEL",
      summary: {
        en: "who thinks; else the preset's, else rules",
        zh: "用哪个模型；否则用预设的，再否则用规则",
      },
    },
    "base-url": {
      value: "URL",
      summary: { en: "another address of that model's server", zh: "该模型服务器的其他地址" },
    },
    k: {
      value: "LIST",
      default: "5,10,20",
      summary: { en: "how many hits are looked at", zh: "看前几条召回" },
    },
    "limit-cases": {
      value: "N",
      summary: { en: "only the first N cases of the data", zh: "只用数据的前 N 个案例" },
    },
    seed: { value: "N", default: "7", summary: { en: "of what is drawn", zh: "随机种子" } },
    out: {
      value: "FOLDER",
      default: "bench-ablation",
      summary: { en: "where runs and the variants' presets go", zh: "运行结果和各变体预设写到哪里" },
    },
    cache: {
      value: "FOLDER",
      summary: {
        en: "where vectors are kept; else one in your cache folder",
        zh: "向量缓存目录；默认在用户缓存目录",
      },
    },
    jobs: { value: "N", default: "1", summary: { en: "runs at once", zh: "同时运行几个" } },
    fresh: { summary: { en: "throw away what earlier runs left", zh: "丢弃以前运行留下的结果" } },
  },
  run: async (given, terminal) => (await import("../run/bench-ablate.ts")).ablate(given, terminal),
};
