/** Which memory, which design, which model? The options of every command with a memory. */
import { DEFAULT_PRESET } from "../preset/default-preset.ts";
import type { Option } from "./command.ts";

export const MEMORY_OPTIONS: Readonly<Record<string, Option>> = {
  preset: {
    value: "NAME",
    default: DEFAULT_PRESET,
    summary: { en: "the design: a preset's name, or the path of a file", zh: "设计：预设名，或文件路径" },
  },
  db: {
    value: "PATH",
    summary: {
      en: "the memory's file; else NEUROMEM_DB, else one in your data folder",
      zh: "记忆文件；否则取 NEUROMEM_DB，再否则放在用户数据目录",
    },
  },
  scope: {
    value: "NAME",
    default: "me",
    summary: { en: "whose memory it is; other names see none of it", zh: "谁的记忆；其他名字看不到" },
  },
  model: {
    value: "ENDPOINT:MODEL",
    summary: {
      en: "who thinks, as openai:gpt-4.1-mini or ollama:qwen3; else the preset's, else rules here. Keys come from the environment (OPENAI_API_KEY …)",
      zh: "用哪个模型，如 openai:gpt-4.1-mini 或 ollama:qwen3；否则用预设里的，再否则用本地规则。密钥只取自环境变量（OPENAI_API_KEY 等）",
    },
  },
  "base-url": {
    value: "URL",
    summary: { en: "another address of that model's server", zh: "该模型服务器的其他地址" },
  },
};
