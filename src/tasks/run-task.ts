/**
 * Which way does a task go? With a model: prompt in the text's language, a reply held to the schema, to the task's own
 * checks and to the language; repaired and asked once more where it must be. Without one, or where the model failed and
 * the caller wants an answer all the same: here. Either way the trace says which path ran and why, and a reply that
 * could not be used is kept in the warning or in the error, never swallowed.
 */
import type { z } from "zod";
import { type Clock, systemClock } from "../base/clock.ts";
import { type ErrorCode, MemoryError } from "../base/errors.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import { silent, type Trace } from "../base/trace.ts";
import { throwIfAborted } from "../models/abort.ts";
import { usageOf } from "../models/failure.ts";
import { generateObject } from "../models/generate-object.ts";
import { addUsage, wrapModel } from "../models/middleware.ts";
import { type ChatMessage, type ChatModel, type ChatRequest, NO_USAGE, type Usage } from "../models/model.ts";
import { estimateTokens } from "../text/token-count.ts";
import { renderPrompt } from "./prompt.ts";
import { type PromptLibrary, packagePrompts } from "./prompt-library.ts";
import type { Task, TaskLanguage } from "./task.ts";
import { isOtherLanguage, languageOf, NONE, OTHER_LANGUAGE, shownTexts } from "./task-language.ts";

export interface TaskOptions {
  /** Without one, every task is answered here. */
  readonly model?: ChatModel | undefined;
  /**
   * Where the model gave no usable reply, or none at all (it could not be reached, refused, or the budget is spent):
   * "fallback" answers here and warns, "throw" throws the error with the raw reply in its details.
   */
  readonly onBadReply: "fallback" | "throw";
  /** Where it could not be reached at all; unsaid: as for a bad reply. A caller that can try again later says "throw". */
  readonly onModelDown?: "fallback" | "throw" | undefined;
  /** Of prompt and fallback; unsaid: the language of the text. */
  readonly language?: TaskLanguage | undefined;
  readonly prompts?: PromptLibrary | undefined;
  /** How the model is to speak: temperature, seed, most tokens, thinking. */
  readonly settings?: Pick<ChatRequest, "maxTokens" | "temperature" | "seed" | "thinking"> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whose budget pays. */
  readonly scope?: Scope | undefined;
  readonly trace?: Trace | undefined;
  readonly clock?: Clock | undefined;
}

export interface TaskWarning {
  readonly code: ErrorCode;
  readonly message: string;
  /** The reply that could not be used. */
  readonly raw?: string | undefined;
}

export interface TaskResult<Reply> {
  readonly reply: Reply;
  readonly path: "model" | "local";
  /** Of all calls, failed tries among them. */
  readonly usage: Usage;
  readonly warnings: readonly TaskWarning[];
}

/** Failures of a model after which an answer from here is still right. Anything else is the caller's or ours. */
const MODEL_FAILURES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "reply_invalid",
  "model_unavailable",
  "model_rate_limited",
  "model_refused",
  "budget_exceeded",
  "text_too_large",
]);

/** It may answer later. */
const MODEL_DOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["model_unavailable", "model_rate_limited"]);
/** It would answer with the right key, or under its right name: as good as down until somebody sees to that. */
const NOT_LET_IN: readonly unknown[] = [401, 403, 404];

export async function runTask<Input, Reply, Given>(
  task: Task<Input, Reply, Given>,
  given: Given,
  options: TaskOptions,
): Promise<TaskResult<Reply>> {
  const { model, trace = silent, clock = systemClock } = options;
  throwIfAborted(options.signal, `The task ${task.name}`);
  const started = clock.now();
  const input = parseInput(task.input, given, `input of the task ${task.name}`);
  const tools = { language: options.language ?? languageOf(task.about(input)) };
  const finish = (result: TaskResult<Reply>, reason?: string, replyTokens?: number): TaskResult<Reply> => {
    const { path, usage } = result;
    trace({ type: "task-run", task: task.name, path, reason, usage, replyTokens, ms: clock.now() - started });
    return result;
  };
  const here = (reply: Reply): TaskResult<Reply> => ({ reply, path: "local", usage: NO_USAGE, warnings: [] });

  const obvious = task.obvious?.(input, tools);
  if (obvious !== undefined) return finish(here(obvious), "there was nothing to ask");
  if (model === undefined) return finish(here(await task.local(input, tools)), "there is no model");

  const asked = await ask(task, input, { ...options, model, trace, language: tools.language });
  if ("reply" in asked) return finish(asked);
  const { error, usage, warnings } = asked;
  if (!isAnsweredHere(error, options)) throw error;
  const message = `The task ${task.name} was answered without its model. ${error.message}`;
  trace({ type: "warning-raise", code: error.code, message });
  const { raw } = error.details;
  const warning = { code: error.code, message, ...(typeof raw === "string" ? { raw } : {}) };
  const reply = await task.local(input, tools);
  const replyTokens = estimateTokens(JSON.stringify(reply));
  return finish(
    { reply, path: "local", usage, warnings: [...warnings, warning] },
    error.message,
    replyTokens,
  );
}

/** Whether the caller wants an answer all the same where the model failed so. */
export function isAnsweredHere(
  { code, details }: MemoryError,
  { onBadReply, onModelDown = onBadReply }: Pick<TaskOptions, "onBadReply" | "onModelDown">,
): boolean {
  const isDown = MODEL_DOWN.has(code) || (code === "model_refused" && NOT_LET_IN.includes(details.status));
  const wanted = isDown ? onModelDown : onBadReply;
  return wanted === "fallback" && MODEL_FAILURES.has(code);
}

interface Asking extends TaskOptions {
  readonly model: ChatModel;
  readonly trace: Trace;
  readonly language: TaskLanguage;
}

interface Failed {
  readonly error: MemoryError;
  readonly usage: Usage;
  readonly warnings: readonly TaskWarning[];
}

async function ask<Input, Reply, Given>(
  task: Task<Input, Reply, Given>,
  input: Input,
  asking: Asking,
): Promise<TaskResult<Reply> | Failed> {
  const { language, settings, signal, scope } = asking;
  const messages = await messagesOf(task, input, asking);
  let usage = NO_USAGE;
  // Counted on the way, so that tries that came to nothing are paid for, too.
  const counted = wrapModel(asking.model, async (call, next) => {
    const outcome = await next(call.options);
    usage = addUsage(usage, outcome.usage);
    return outcome;
  });
  const warnings: TaskWarning[] = [];
  const trace: Trace = (event) => {
    if (event.type === "warning-raise") warnings.push({ code: event.code, message: event.message });
    asking.trace(event);
  };
  try {
    const { value } = await generateObject(
      counted,
      { ...settings, messages, language, name: task.name, schema: checkedReply(task, input, language) },
      { signal, scope, task: task.name, trace },
    );
    return { reply: task.settle?.(value, input) ?? value, path: "model", usage, warnings };
  } catch (error) {
    if (!MemoryError.is(error)) throw error;
    return { error, usage: usageOf(error) ?? usage, warnings };
  }
}

async function messagesOf<Input, Reply, Given>(
  task: Task<Input, Reply, Given>,
  input: Input,
  { language, prompts = packagePrompts }: Asking,
): Promise<ChatMessage[]> {
  const prompt = renderPrompt(await prompts.get(task, language), task.fill(input), NONE[language]);
  return [
    { role: "system", text: prompt.system },
    { role: "user", text: prompt.user },
  ];
}

/** The reply schema with everything that depends on this input; a failed check is shown to the model. */
function checkedReply<Input, Reply, Given>(
  task: Task<Input, Reply, Given>,
  input: Input,
  language: TaskLanguage,
): z.ZodType<Reply> {
  return task.reply.superRefine((reply, context) => {
    const problems = [...(task.problems?.(reply, input) ?? [])];
    if (isOtherLanguage(task.spoken?.(reply) ?? [], task.about(input), shownTexts(task.fill(input))))
      problems.push(OTHER_LANGUAGE[language]);
    for (const message of problems) context.addIssue({ code: "custom", message });
  });
}
