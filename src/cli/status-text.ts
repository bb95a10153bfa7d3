/** How does it stand? What is in it, what waits, why, and when it is tried again. */
import type { Status } from "../runtime/status.ts";
import { minuteOf } from "./memory-text.ts";
import type { Terminal } from "./terminal.ts";

export interface Standing {
  readonly file: string;
  readonly scope: string;
  readonly status: Status;
}

export function sayStatus({ file, scope, status }: Standing, terminal: Terminal): void {
  const { say, text, paint } = terminal;
  const { preset, service, counts, waiting, pending, storage, model } = status;
  const who = model ?? text({ en: "rules, no model", zh: "本地规则，无模型" });
  const spaces = status.embedder?.spaces.join(", ") ?? text({ en: "no embedder", zh: "无嵌入器" });
  say(paint("bold", file));
  say(`${text({ en: "design", zh: "设计" })}: ${preset} (${service}) · ${who} · ${spaces}`);
  say(
    text({
      en: `scope: ${scope}, ${counts.memories} memories of ${counts.turns} turns; whole file: ${storage.turns} turns, ${storage.entries} entries, ${storage.events} events`,
      zh: `范围：${scope}，${counts.turns} 轮对话、${counts.memories} 条记忆；整个文件：${storage.turns} 轮对话、${storage.entries} 条目、${storage.events} 个事件`,
    }),
  );
  if (pending > 0)
    say(text({ en: `${pending} entries wait for a decision.`, zh: `${pending} 条等待决定。` }));
  say(
    waiting === 0
      ? text({ en: "Everything that was said is taken up.", zh: "说过的话都已处理。" })
      : text({ en: `${waiting} turns wait to be taken up.`, zh: `${waiting} 轮对话等待处理。` }),
  );
  sayTroubles(status, terminal);
}

function sayTroubles({ work, upkeep, embedder }: Status, { say, text, paint }: Terminal): void {
  if (work?.lastError != null)
    say(
      paint(
        "yellow",
        text({
          en: `The last try failed (${work.attempts} so far; next ${minuteOf(work.nextTry)}): ${work.lastError}`,
          zh: `上次处理失败（已试 ${work.attempts} 次；下次 ${minuteOf(work.nextTry)}）：${work.lastError}`,
        }),
      ),
    );
  for (const { actions, nextRun, lastError } of upkeep) {
    const next = nextRun === null ? "–" : minuteOf(nextRun);
    const line = text({
      en: `upkeep ${actions.join(", ")}: next ${next}`,
      zh: `维护 ${actions.join("、")}：下次 ${next}`,
    });
    say(lastError === null ? line : paint("yellow", `${line}. ${lastError}`));
  }
  if (embedder?.isLacking === true) say(paint("yellow", text(LACKING)));
}

export const LACKING = {
  en: "Memories lack the vectors of the embedder at work: neuromem reembed gives them.",
  zh: "有记忆缺少当前嵌入器的向量：用 neuromem reembed 补上。",
};
