/** A prompt of one's own in a folder of its own, before the package's: shows that an action asks with the prompt a preset names. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPrompts, type PromptLibrary } from "../tasks/prompt-library.ts";
import { TASK_LANGUAGES, type Task } from "../tasks/task.ts";

export interface PromptVariant {
  readonly prompts: PromptLibrary;
  /** As a preset names it. */
  readonly folder: string;
  close(): Promise<void>;
}

/** One file for each id and language, with the id as its instruction. */
export async function promptVariants(
  tasks: Readonly<Record<string, Pick<Task, "placeholders">>>,
): Promise<PromptVariant> {
  const folder = await mkdtemp(join(tmpdir(), "prompts-"));
  for (const [id, { placeholders }] of Object.entries(tasks)) {
    const text = `This is ${id}.\n---\n${placeholders.map((name) => `{{${name}}}`).join("\n")}\n`;
    for (const language of TASK_LANGUAGES) await writeFile(join(folder, `${id}.${language}.md`), text);
  }
  return { prompts: openPrompts([folder]), folder, close: () => rm(folder, { recursive: true }) };
}
