/** Can the numbers of a design be chosen better, and is what they gain more than luck? */
import type { Command } from "../command.ts";

const EXAMPLE = `  neuromem bench tune --dataset locomo=locomo10.json --preset ld_agent \\
    --vary stages.post_retrieval.rerank.weights.recency=0..2 \\
    --vary stages.memory_retrieval.candidates.pool=10..200:log --out tuned.yaml`;

export const benchTune: Command = {
  name: "bench tune",
  summary: {
    en: "search better values for options of a design, and measure the gain on cases they were not chosen on",
    zh: "为设计的选项搜索更好的取值，并在未参与选择的案例上衡量收益",
  },
  details: {
    en: `An option is named by its path in the resolved preset (neuromem preset show NAME); an action by its name, the second of a
name as rerank#2. For every fold of cases the best setting is chosen on the other folds and scored on the fold left out; that
is the gain told here, with the interval that holds it in 95 of 100 draws of the questions. Every score is kept: the same
command goes on where it was stopped.

${EXAMPLE}`,
    zh: `选项以其在完整预设中的路径命名（neuromem preset show NAME）；动作以名称表示，同名的第二个写作 rerank#2。对每一折案例，在其余各折上选出最佳
设置，再在留出的这一折上评分；此处给出的收益即由此得来，并附区间（对问题重抽样 100 次中有 95 次落在其中）。每个得分都会保存：
用同一命令即可从中断处继续。

${EXAMPLE}`,
  },
  arguments: [],
  options: {
    dataset: {
      value: "KIND=PATH",
      summary: { en: "the data set, as locomo=locomo10.json", zh: "数据集，如 locomo=locomo10.json" },
    },
    preset: {
      value: "NAME",
      summary: { en: "the design: a preset's name, or the path of a file", zh: "设计：预设名，或文件路径" },
    },
    vary: {
      value: "PATH=LOW..HIGH[:log]|PATH=a,b",
      isRepeatable: true,
      summary: {
        en: "an option and what it may be: a range, by factors with :log, or a few values; may be repeated",
        zh: "选项及其取值：区间（:log 表示按倍数），或若干取值；可重复",
      },
    },
    measure: {
      value: "NAME",
      default: "recall@10",
      summary: { en: "what a better setting has more of", zh: "以何指标比较" },
    },
    folds: {
      value: "N",
      default: "5",
      summary: {
        en: "parts the cases are divided into; a case is never split",
        zh: "案例分成几折；案例从不拆分",
      },
    },
    tries: {
      value: "N",
      default: "40",
      summary: { en: "most settings that each search scores", zh: "每次搜索最多评分多少种设置" },
    },
    seed: { value: "N", default: "7", summary: { en: "of all that is drawn", zh: "随机种子" } },
    out: {
      value: "FILE",
      summary: {
        en: "write what to use as a preset that extends the one tuned; nothing is overwritten",
        zh: "把选出的取值写成继承原预设的文件；不覆盖已有文件",
      },
    },
    cache: {
      value: "FOLDER",
      summary: {
        en: "where vectors and scores are kept; else in the user's cache folder",
        zh: "向量和得分的保存位置；默认在用户缓存文件夹",
      },
    },
    fresh: { summary: { en: "throw earlier scores of this tune away", zh: "丢弃此前的得分" } },
  },
  run: async (given, terminal) => (await import("../run/bench-tune.ts")).tunePreset(given, terminal),
};
