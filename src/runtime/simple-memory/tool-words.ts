/** What the tools for a model say of themselves and answer, in English and Chinese. */
import type { MemoryItem } from "./memory-runtime.ts";

export type ToolLanguage = "en" | "zh";

export interface ToolWords {
  readonly memoryType: string;
  readonly remember: {
    readonly description: string;
    readonly judgment: string;
    readonly reasoning: string;
    readonly tags: string;
    done(id: string): string;
  };
  readonly recall: {
    readonly description: string;
    readonly query: string;
    readonly limit: string;
    readonly nothing: string;
    found(count: number): string;
    line(memory: MemoryItem, day: string): string;
  };
  readonly note: { readonly description: string; readonly query: string };
}

export const TOOL_WORDS: Readonly<Record<ToolLanguage, ToolWords>> = {
  en: {
    memoryType:
      "knowledge (what is), event (what happened), skill (how to do it), task (what is under way) or emotional (how it feels). Anything else counts as knowledge.",
    remember: {
      description:
        "Remembers something for good: a judgment, why it holds, and the tags by which a later talk brings it back. For what must not be forgotten.",
      judgment:
        "What holds, as one sentence that stands alone: names instead of pronouns, dates instead of 'yesterday'.",
      reasoning: "Why it holds: who said it, or what it follows from.",
      tags: "Words that a later talk about it will mention: names, places, things. As they are said, short.",
      done: (id) => `Remembered, id ${id}.`,
    },
    recall: {
      description:
        "Brings back what is remembered about a topic. Returns memories with their reason, tags, strength and day, best first.",
      query: "What it is about: a question, or the talk so far. Names and things in it are looked for.",
      limit: "Most memories to bring back.",
      nothing: "Nothing is remembered about it.",
      found: (count) => (count === 1 ? "1 memory:" : `${count} memories:`),
      line: (memory, day) =>
        `[${memory.memory_type}] ${memory.judgment} (why: ${memory.reasoning || "not said"}; tags: ${memory.tags.join(", ") || "none"}; strength ${memory.strength}; ${day}; id ${memory.id})`,
    },
    note: {
      description: "Searches notes. Says so where there are none.",
      query: "What to look for in notes.",
    },
  },
  zh: {
    memoryType:
      "knowledge 或 知识（是什么）、event 或 事件（发生了什么）、skill 或 技能（怎么做）、task 或 任务（正在做什么）、emotional 或 情感（感受如何）。其他的一律算作知识。",
    remember: {
      description:
        "长期记住一件事：一个论断、它成立的理由，以及日后聊到什么时应当想起它的标签。用于不可忘记的事。",
      judgment: "论断：一句独立成立的话，用名字而不用代词，用日期而不用“昨天”。",
      reasoning: "理由：谁说的，或由什么得出。",
      tags: "标签：日后谈到此事时会出现的词，如人名、地名、事物，照原样写，宜短。",
      done: (id) => `已记住，编号 ${id}。`,
    },
    recall: {
      description: "召回关于某个话题的记忆，按相关程度排列，附理由、标签、强度和日期。",
      query: "要找的内容：一个问题，或到目前为止的聊天记录，其中的人名和事物会被查找。",
      limit: "最多召回多少条。",
      nothing: "没有相关的记忆。",
      found: (count) => `${count} 条记忆：`,
      line: (memory, day) =>
        `[${TYPE_LABELS[memory.memory_type]}] ${memory.judgment}（理由：${memory.reasoning || "未说明"}；标签：${memory.tags.join("、") || "无"}；强度 ${memory.strength}；${day}；编号 ${memory.id}）`,
    },
    note: {
      description: "检索笔记。没有笔记时会明确说明。",
      query: "要在笔记中查找的内容。",
    },
  },
};

const TYPE_LABELS: Readonly<Record<MemoryItem["memory_type"], string>> = {
  knowledge: "知识",
  event: "事件",
  skill: "技能",
  task: "任务",
  emotional: "情感",
};
