/** What came of the runs? One page to look at, and the same tables as Markdown. */
import { writeReport } from "../../lab/report/write-report.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";

export async function reportRuns(given: Given, terminal: Terminal): Promise<number> {
  const report = await writeReport(given.argument("FOLDER"));
  terminal.give(report);
  terminal.say(
    terminal.text({
      en: `The report of ${report.runs} ${report.runs === 1 ? "run" : "runs"}: ${report.html}\nThe same tables as Markdown: ${report.markdown}`,
      zh: `${report.runs} 次运行的报告：${report.html}\n同样的表格（Markdown）：${report.markdown}`,
    }),
  );
  if (report.unfinished.length > 0) {
    const names = report.unfinished.join(", ");
    terminal.note(
      terminal.text({
        en: `Not finished, and not in it: ${names}. Run them again, and they go on where they were.`,
        zh: `尚未完成、未列入：${names}。再次运行即可从中断处继续。`,
      }),
    );
  }
  return 0;
}
