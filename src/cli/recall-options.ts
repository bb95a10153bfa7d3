/** Which memories does a question mean? The options of every command that asks something. */
import type { Option } from "./command.ts";

/** Which memories are meant, by what they are. */
export const KIND_OPTIONS: Readonly<Record<string, Option>> = {
  kind: { value: "NAME", summary: { en: "only memories of this kind", zh: "只看这一类记忆" } },
  tag: { value: "NAME", summary: { en: "only memories with this tag", zh: "只看带此标签的记忆" } },
};

export const RECALL_OPTIONS: Readonly<Record<string, Option>> = {
  limit: {
    value: "N",
    summary: { en: "how many memories; else the preset's number", zh: "最多几条；默认按预设" },
  },
  budget: { value: "N", summary: { en: "most tokens of all of them", zh: "总共最多多少词元" } },
  ...KIND_OPTIONS,
  from: { value: "DATE", summary: { en: "only what happened from then on", zh: "只看此时及以后发生的" } },
  to: { value: "DATE", summary: { en: "only what happened until then", zh: "只看此时及以前发生的" } },
  asked: {
    value: "DATE",
    summary: {
      en: 'when it is asked, for "last week"; else now',
      zh: "提问的时间（影响“上周”等）；默认现在",
    },
  },
  at: {
    value: "DATE",
    summary: { en: "as of then: as things were on that day", zh: "以当时为准：那一天的情况" },
  },
  "known-at": {
    value: "DATE",
    summary: { en: "as the memory itself stood then", zh: "以当时的记忆状态作答" },
  },
  zone: {
    value: "ZONE",
    summary: { en: "time zone, as Asia/Shanghai; else UTC", zh: "时区，如 Asia/Shanghai；默认 UTC" },
  },
};
