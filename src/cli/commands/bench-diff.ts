/** Is the second run better than the first, or is it chance? Question by question. */
import type { Command } from "../command.ts";

export const benchDiff: Command = {
  name: "bench diff",
  summary: {
    en: "compare two runs of one data set, question by question",
    zh: "逐题比较同一数据集上的两次运行",
  },
  arguments: [
    { name: "RUN_A", summary: { en: "the folder of a run", zh: "一次运行的文件夹" } },
    { name: "RUN_B", summary: { en: "the folder of another one", zh: "另一次运行的文件夹" } },
  ],
  options: {
    measure: {
      value: "NAME",
      summary: {
        en: "what to compare: recall@10, all@20, mrr …; else what the report sorts by",
        zh: "比较哪一项：recall@10、all@20、mrr 等；默认与报告的排序指标相同",
      },
    },
  },
  details: {
    en: "The difference is B less A, with the interval that holds it in 95 of 100 draws of the questions. An interval that holds 0 tells of no difference.\n  neuromem bench diff OUT/bm25__locomo OUT/neuromem__locomo --measure recall@10",
    zh: "差值为 B 减 A，并给出区间：对题目重复抽样 100 次，有 95 次落在其中。区间包含 0，则看不出差别。\n  neuromem bench diff OUT/bm25__locomo OUT/neuromem__locomo --measure recall@10",
  },
  run: async (given, terminal) => (await import("../run/bench-diff.ts")).diffRuns(given, terminal),
};
