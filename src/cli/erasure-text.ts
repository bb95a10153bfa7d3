/** What an erasure took away, in a sentence or two. */
import type { ErasureOutput } from "../operations/rows/forget.ts";
import type { Terminal } from "./terminal.ts";

export function sayErasure(
  { turns, entries, traces, nodes, vectors, otherDesigns }: ErasureOutput,
  { say, text }: Terminal,
): void {
  if (turns.length + entries.length + traces === 0) {
    say(text({ en: "There was nothing to forget.", zh: "没有可删除的内容。" }));
    return;
  }
  say(
    text({
      en: `Forgotten: ${turns.length} turns, ${entries.length} memories, ${nodes} nodes of the graph.`,
      zh: `已删除：${turns.length} 轮对话、${entries.length} 条记忆、${nodes} 个图节点。`,
    }),
  );
  if (traces > 0)
    say(
      text({
        en: `  ${traces} that had left the memory before are gone from its log, too.`,
        zh: `  先前已移出记忆的 ${traces} 条，其日志记录也已清除。`,
      }),
    );
  if (vectors.anew > 0)
    say(
      text({
        en: `  ${vectors.anew} memories that stay were embedded anew: what was said before them counted in their vectors.`,
        zh: `  保留的 ${vectors.anew} 条记忆已重新生成向量：其向量曾含有前一句话的成分。`,
      }),
    );
  if (vectors.waiting > 0)
    say(
      text({
        en: `  ${vectors.waiting} more lost their vectors and are found by their words until "reembed" gives them new ones.`,
        zh: `  另有 ${vectors.waiting} 条的向量已删除，运行 "reembed" 之前只能按字词找到。`,
      }),
    );
  for (const { collection, entries: count } of otherDesigns)
    say(
      text({
        en: `  ${collection}: ${count} entries of another design went, too; it makes them anew from what is left.`,
        zh: `  ${collection}：另一个设计的 ${count} 条也已删除；它会用剩下的原话重新生成。`,
      }),
    );
}
