/**
 * What is a model asked? A task is a question with a typed reply: an input schema, a prompt file per language, a reply
 * schema, and a way to answer here, without any model. `runTask` decides which of the two ways is taken.
 *
 * Laws every task keeps (and `testTask` checks):
 * - `local` calls nobody, and its reply satisfies the reply schema and `problems` for every valid input;
 * - a model's reply that satisfies both is returned as it is, after `settle`;
 * - the prompts of all languages use exactly the declared placeholders.
 */
import type { z } from "zod";
import type { MaybePromise } from "../base/promise.ts";

/** Languages that prompts exist in. A text in another language is asked about in English and answered in its own. */
export const TASK_LANGUAGES = ["en", "zh"] as const;
export type TaskLanguage = (typeof TASK_LANGUAGES)[number];

/** What a local answer may use besides its input. */
export interface TaskTools {
  /** Of the text the task is about. */
  readonly language: TaskLanguage;
}

/** What stands in a prompt for a placeholder: a text is data and gets tags around it, a number stands as it is. */
export type PromptValue = string | number;

export interface Task<Input = unknown, Reply = unknown, Given = unknown> {
  /** snake_case; also the id of its prompt files. */
  readonly name: string;
  /** What is asked, in one sentence. */
  readonly summary: string;
  /** How it is answered without a model, in one sentence. */
  readonly fallback: string;
  readonly input: z.ZodType<Input, Given>;
  /** An object at the root; lenient towards the forms in which models say the same thing. */
  readonly reply: z.ZodType<Reply>;
  /** Prompt files: prompts/<prompt>.<language>.md. */
  readonly prompt: string;
  /** Every name the prompt files must use, and none besides. */
  readonly placeholders: readonly string[];
  /** The placeholders' values. An empty text is shown as "none". */
  fill(input: Input): Readonly<Record<string, PromptValue>>;
  /** The text whose language the reply should have. */
  about(input: Input): string;
  local(input: Input, tools: TaskTools): MaybePromise<Reply>;
  /** The reply where nothing is left to ask: no model is called for it. */
  obvious?(input: Input, tools: TaskTools): Reply | undefined;
  /** What the schema cannot know: what is wrong with a reply to this input, each a sentence the model will read. */
  problems?(reply: Reply, input: Input): readonly string[];
  /** Brings a good reply into its final form, as an index that was given twice, or a question that must come first. */
  settle?(reply: Reply, input: Input): Reply;
  /** The sentences of a reply that must be in the language of the text. */
  spoken?(reply: Reply): readonly string[];
}

interface Definition<Input, Reply, Given, Name extends string> extends Task<Input, Reply, Given> {
  readonly placeholders: readonly Name[];
  fill(input: Input): Readonly<Record<Name, PromptValue>>;
}

export function defineTask<Input, Reply, Given, const Name extends string>(
  definition: Definition<Input, Reply, Given, Name>,
): Task<Input, Reply, Given> {
  return definition;
}
