/** What came of the runs? One page to look at, and the same tables as Markdown. */
import type { Command } from "../command.ts";

export const benchReport: Command = {
  name: "bench report",
  summary: { en: "write the report of a folder of runs", zh: "为一个文件夹中的各次运行生成报告" },
  arguments: [
    {
      name: "FOLDER",
      summary: { en: "where neuromem bench run wrote its runs", zh: "neuromem bench run 写入结果的文件夹" },
    },
  ],
  options: {},
  details: {
    en: "Writes report.html (one page that needs no network) and report.md into the folder, from every run in it that is finished.",
    zh: "根据其中所有已完成的运行，在该文件夹写入 report.html（单个页面，无需网络）和 report.md。",
  },
  run: async (given, terminal) => (await import("../run/bench-report.ts")).reportRuns(given, terminal),
};
