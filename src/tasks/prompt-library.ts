/**
 * Where do prompts come from? From folders of files named <id>.<language>.md: the caller's own first, then the package's.
 * A file is read and checked when it is first asked for, and kept. Under each instruction stand the rules that hold for
 * every task (common.<language>.md): that data is data, and whose language to write in.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../base/errors.ts";
import { type Prompt, parsePrompt } from "./prompt.ts";
import { TASK_LANGUAGES, type Task, type TaskLanguage } from "./task.ts";

/** Who asks with a prompt: a task, or a talk with tools. */
export interface Asker extends Pick<Task, "prompt" | "placeholders"> {
  /** The file of rules that stands under its instruction; unsaid: "common", that of tasks; null: none. */
  readonly rules?: string | null | undefined;
  /** What is wrong with a file that has the right holes; undefined: nothing. */
  problem?(prompt: Prompt): string | undefined;
}

export interface PromptLibrary {
  get(asker: Asker, language: TaskLanguage): Promise<Prompt>;
}

/** The same place from src/tasks/ and from dist/tasks/. */
const PACKAGE_FOLDER = fileURLToPath(new URL("../../prompts", import.meta.url));

export function openPrompts(folders: readonly string[] = []): PromptLibrary {
  const places = [...folders, PACKAGE_FOLDER];
  const loaded = new Map<string, Promise<Prompt>>();
  return {
    get(task, language) {
      const key = `${task.prompt}.${language} ${task.rules} ${task.placeholders.join(" ")}`;
      const known = loaded.get(key);
      if (known !== undefined) return known;
      const loading = load(places, task, language);
      loaded.set(key, loading);
      // A file that was wrong may be put right while we run.
      loading.catch(() => loaded.delete(key));
      return loading;
    },
  };
}

/** The prompts of the package. */
export const packagePrompts: PromptLibrary = openPrompts();

/** Loads every prompt of the tasks in every language, so that a wrong file is known at start, not at first use. */
export async function checkPrompts(
  tasks: Iterable<Asker>,
  library: PromptLibrary = packagePrompts,
): Promise<void> {
  for (const task of tasks) {
    for (const language of TASK_LANGUAGES) await library.get(task, language);
  }
}

async function load(folders: readonly string[], asker: Asker, language: TaskLanguage): Promise<Prompt> {
  const { prompt: id, placeholders, rules = "common" } = asker;
  const own = await readFirst(folders, `${id}.${language}.md`);
  const prompt = parsePrompt(own.text, placeholders, own.path);
  const problem = asker.problem?.(prompt);
  if (problem !== undefined)
    throw new MemoryError("preset_invalid", `The prompt ${own.path} ${problem}`, {
      details: { file: own.path },
    });
  if (rules === null) return prompt;
  const common = await readFirst(folders, `${rules}.${language}.md`);
  return { system: `${prompt.system}\n\n${common.text.trim()}`, user: prompt.user };
}

async function readFirst(
  folders: readonly string[],
  name: string,
): Promise<{ readonly path: string; readonly text: string }> {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      return { path, text: await readFile(path, "utf8") };
    } catch (cause) {
      if (!isMissing(cause)) {
        throw new MemoryError("storage_io", `The prompt file ${path} could not be read.`, { cause });
      }
    }
  }
  throw new MemoryError(
    "unknown_name",
    `There is no prompt file ${name}. Valid: such a file in ${folders.join(" or ")}.`,
    { details: { file: name } },
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
