/** What waits is taken up, now. */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const flushCommand: Command = {
  name: "flush",
  summary: { en: "take up what waits for a full window or a model", zh: "立即处理还在等待的原话" },
  details: {
    en: "A design that reads windows or sessions lets the last turns wait; what a model that was down left waits, too.",
    zh: "按窗口或会话处理的设计会让最后几轮等待；模型不可用时留下的也在等待。",
  },
  arguments: [],
  options: MEMORY_OPTIONS,
  run: async (given, terminal) => (await import("../run/flush.ts")).flushMemory(given, terminal),
};
