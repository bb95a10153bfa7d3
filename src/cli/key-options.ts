/** Where are the keys of a server? The options of every command that has to do with them. */
import type { Option } from "./command.ts";
import { MEMORY_OPTIONS } from "./memory-options.ts";

export const KEYS_OPTION: Option = {
  value: "FILE",
  summary: {
    en: "the file of keys; else the one beside the memory's file",
    zh: "密钥文件；默认在记忆文件旁边",
  },
};

const { db } = MEMORY_OPTIONS;

/** Of commands that make, show and revoke keys. */
export const KEY_OPTIONS: Readonly<Record<string, Option>> = {
  ...(db === undefined ? {} : { db }),
  keys: KEYS_OPTION,
};
