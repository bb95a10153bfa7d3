/** What would it cost? */
import type { Command } from "../command.ts";
import { MEMORY_OPTIONS } from "../memory-options.ts";

export const estimateCommand: Command = {
  name: "estimate",
  summary: { en: "what taking up a conversation would cost", zh: "估算导入一段对话的花费" },
  details: {
    en: `Nobody is asked and nothing is kept: a sample goes through the design here, and what would have been asked is counted.
Prices are per million tokens, in any currency.`,
    zh: "不会调用模型，也不会保存：抽样在本机走一遍设计，统计本会发出的请求。价格按每百万词元计，货币不限。",
  },
  arguments: [{ name: "FILE", summary: { en: "as for neuromem import", zh: "同 neuromem import" } }],
  options: {
    ...MEMORY_OPTIONS,
    conversation: {
      value: "NAME",
      summary: { en: "which one, of a file that holds several", zh: "文件含多段对话时选哪一段" },
    },
    sample: { value: "N", default: "100", summary: { en: "most turns that are tried", zh: "最多抽样几轮" } },
    "price-in": { value: "MONEY", summary: { en: "of a million tokens read", zh: "每百万输入词元的价格" } },
    "price-out": {
      value: "MONEY",
      summary: { en: "of a million tokens written", zh: "每百万输出词元的价格" },
    },
  },
  run: async (given, terminal) => (await import("../run/estimate.ts")).estimateFile(given, terminal),
};
