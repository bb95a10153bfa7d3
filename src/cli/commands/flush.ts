/** What waits is taken up, now. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const flushCommand: Command = {
  name: "flush",
  summary: { en: "wait until all that was said has been taken up", zh: "等待所有说过的话都已处理" },
  details: {
    en: "A design that reads windows or sessions lets the last turns wait; what a model that was down left waits, too.",
    zh: "按窗口或会话处理的设计会让最后几轮等待；模型不可用时留下的也在等待。",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/flush.ts")).flushMemory(given, terminal),
};
