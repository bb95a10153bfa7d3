/**
 * What tools are called in words: a prompt file of lines "- name: text", the tools and their inputs above the divider, and
 * below it what a model is told after a step. A name without a line is refused when the file is loaded, not when the
 * tool is first wanted.
 */
import { invariant } from "../base/errors.ts";
import type { Prompt } from "./prompt.ts";
import { type Asker, type PromptLibrary, packagePrompts } from "./prompt-library.ts";
import type { TaskLanguage } from "./task.ts";
import { HEARTBEAT } from "./tool.ts";

/** What may follow a step. */
export const NEXT_INPUTS = ["token_warning", "failed", "heartbeat"] as const;

/** The tools of memory that there are, and all inputs that they have. */
const TOOLS = [
  ...["send_message", "core_memory_append", "core_memory_replace"],
  ...["conversation_search", "archival_memory_insert", "archival_memory_search"],
];
const INPUTS = ["message", "label", "content", "old_content", "new_content", "query", "page", HEARTBEAT];

/** The file as the library is asked for it. */
export function toolTextsOf(prompt: string): Asker {
  return {
    prompt,
    placeholders: [],
    rules: null,
    problem(file) {
      const texts = linesOf(file);
      const missing = [...TOOLS, ...INPUTS, ...NEXT_INPUTS].find((name) => !texts.has(name));
      return missing === undefined
        ? undefined
        : `does not describe "${missing}". Valid: a line "- ${missing}: …" in it.`;
    },
  };
}

export async function readToolTexts(
  prompt: string,
  language: TaskLanguage,
  library: PromptLibrary = packagePrompts,
): Promise<(name: string) => string> {
  const texts = linesOf(await library.get(toolTextsOf(prompt), language));
  return (name) => {
    const text = texts.get(name);
    invariant(text !== undefined, `No prompt has to describe "${name}"`);
    return text;
  };
}

const LINE = /^- (\w+): (.+)$/gm;

function linesOf({ system, user }: Prompt): Map<string, string> {
  const lines = [...`${system}\n${user}`.matchAll(LINE)];
  return new Map(lines.map(([, name = "", text = ""]) => [name, text.trim()]));
}
