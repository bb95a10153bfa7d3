/** How well does a design remember? Designs over evaluation data, measured without a judge. */
import type { Command } from "../command.ts";

export const benchRun: Command = {
  name: "bench run",
  summary: {
    en: "run designs over evaluation data and measure what they find",
    zh: "在评测数据上运行各设计，衡量它们找到了什么",
  },
  details: {
    en: `Data sets are files of your own, as KIND=PATH[,PATH…]: locomo, longmemeval, multihop, factconsolidation, realmem.
  neuromem bench run --dataset locomo=locomo10.json --preset neuromem,bm25
Each run is a process of its own and writes OUT/PRESET__DATASET/results.jsonl line by line: Ctrl-C loses nothing, and the same
command goes on. Vectors are kept in --cache and made only once. The report is OUT/report.html.`,
    zh: `数据集是你自己的文件，写作 KIND=PATH[,PATH…]：locomo、longmemeval、multihop、factconsolidation、realmem。
  neuromem bench run --dataset locomo=locomo10.json --preset neuromem,bm25
每次运行是一个独立进程，逐行写入 OUT/PRESET__DATASET/results.jsonl：Ctrl-C 不会丢失任何结果，再次运行同一命令即继续。
向量保存在 --cache 中，只计算一次。报告在 OUT/report.html。`,
  },
  arguments: [],
  options: {
    dataset: {
      value: "KIND=PATH",
      isRepeatable: true,
      summary: { en: "a data set; may be given several times", zh: "一个数据集；可多次给出" },
    },
    data: {
      value: "FOLDER",
      summary: { en: "all data sets found in a folder", zh: "文件夹中找到的所有数据集" },
    },
    preset: {
      value: "A,B",
      isRepeatable: true,
      summary: {
        en: "designs: names, or paths of files (default: neuromem, hybrid, bm25, dense, as far as they are there)",
        zh: "设计：预设名或文件路径（默认：neuromem、hybrid、bm25、dense 中已有的）",
      },
    },
    model: {
      value: "ENDPOINT:MODEL",
      isRepeatable: true,
      summary: {
        en: "who thinks, as openai:gpt-4.1-mini; a run for each; else the preset's, else rules here",
        zh: "用哪个模型，如 openai:gpt-4.1-mini；每个模型各运行一次；否则用预设里的，再否则用本地规则",
      },
    },
    "base-url": {
      value: "URL",
      summary: { en: "another address of that model's server", zh: "该模型服务器的其他地址" },
    },
    k: {
      value: "5,10,20",
      default: "5,10,20",
      summary: { en: "how many hits are looked at", zh: "看前多少条结果" },
    },
    points: {
      value: "N",
      default: "1",
      summary: {
        en: "how often in the stream everything that can be known is asked",
        zh: "在对话流中提问多少次（每次问所有已可回答的问题）",
      },
    },
    "limit-cases": {
      value: "N",
      summary: { en: "only the first cases of each data set", zh: "每个数据集只用前 N 个案例" },
    },
    seed: {
      value: "N",
      default: "7",
      summary: { en: "of the intervals' draws", zh: "区间抽样的随机种子" },
    },
    out: {
      value: "FOLDER",
      default: "bench-results",
      summary: { en: "where results and report go", zh: "结果和报告放在哪里" },
    },
    cache: {
      value: "FOLDER",
      summary: {
        en: "where vectors are kept; else your cache folder",
        zh: "向量缓存目录；默认为用户缓存目录",
      },
    },
    jobs: {
      value: "N",
      default: "1",
      summary: {
        en: "runs at once; more than one makes the times of each longer",
        zh: "同时运行几个；多于一个时各自耗时会变长",
      },
    },
    fresh: {
      summary: {
        en: "throw away what an earlier run of the same name left",
        zh: "丢弃同名运行之前留下的结果",
      },
    },
  },
  run: async (given, terminal) => (await import("../run/bench-run.ts")).runBench(given, terminal),
};
