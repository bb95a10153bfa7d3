/** What an action is given beside its data: someone to think, a place for notes, and the store as far as its stage may. */
import { MemoryError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Scope } from "../base/scope.ts";
import { silent, type Trace } from "../base/trace.ts";
import type { Vector } from "../base/vector.ts";
import type { EmbedderSet, QuerySpaces, QueryVector } from "../models/local/embedder-set.ts";
import type { Reranker } from "../models/model.ts";
import { spaceOf } from "../services/vector-fields.ts";
import { runTalk } from "../tasks/heartbeat.ts";
import { runTask, type TaskOptions } from "../tasks/run-task.ts";
import type { ActionContext } from "./action.ts";
import type { TaskRecord } from "./record.ts";

export interface ThinkingDeps {
  readonly thinking: TaskOptions;
  readonly embedder?: EmbedderSet | undefined;
  readonly reranker?: Reranker | undefined;
  readonly trace?: Trace | undefined;
}

/** One run of one action: its context, and what was written down meanwhile. */
export interface ActionRun {
  readonly context: ActionContext;
  readonly tasks: readonly TaskRecord[];
  readonly notes: Readonly<Record<string, Json>>;
}

export interface RunOptions {
  readonly scope: Scope;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export function startRun(deps: ThinkingDeps, { scope, now, signal }: RunOptions): ActionRun {
  const tasks: TaskRecord[] = [];
  const notes: Record<string, Json> = {};
  const trace: Trace = deps.thinking.trace ?? deps.trace ?? silent;
  const ask: ActionContext["ask"] = async (task, given, prompt = task.prompt) => {
    const asked: typeof task = { ...task, prompt };
    const { reply, path, usage, warnings } = await runTask(asked, given, {
      ...deps.thinking,
      scope,
      signal,
      trace,
    });
    tasks.push({ task: task.name, path, ...usage });
    return { reply, path, warnings };
  };
  return {
    tasks,
    notes,
    context: {
      scope,
      now,
      signal,
      ask,
      async talk(talk) {
        const result = await runTalk(talk, { ...deps.thinking, scope, signal, trace });
        tasks.push({ task: talk.name, path: result.path, ...result.usage });
        return result;
      },
      think: async (task, given, prompt) => (await ask(task, given, prompt)).reply,
      note(name, value) {
        notes[name] = value;
      },
    },
  };
}

/** For texts that will be stored. */
export async function embedTexts(
  { embedder }: ThinkingDeps,
  texts: readonly string[],
  field: string,
  options: RunOptions,
): Promise<(Vector | undefined)[]> {
  if (embedder === undefined) return texts.map(() => undefined);
  const { scope, signal } = options;
  const vectors = await embedder.embedDocuments(texts, { scope, signal });
  return vectors.map((vector) => vector && { ...vector, space: spaceOf(vector.space, field) });
}

/** For what is asked. */
export async function embedQuestion(
  { embedder }: ThinkingDeps,
  text: string,
  { field, spaces }: { readonly field: string; readonly spaces?: QuerySpaces | undefined },
  { scope, signal }: RunOptions,
): Promise<QueryVector[]> {
  if (embedder === undefined) return [];
  const vectors = await embedder.embedQuery(text, { scope, signal, spaces });
  return vectors.map((vector) => ({ ...vector, space: spaceOf(vector.space, field) }));
}

export async function rankTexts(
  { reranker }: ThinkingDeps,
  query: string,
  texts: readonly string[],
  { scope, signal }: RunOptions,
): Promise<Float64Array> {
  if (reranker === undefined) {
    throw new MemoryError(
      "missing_dependency",
      "There is no reranker to rank by. Valid: give the pipeline one, or choose another rerank_type.",
    );
  }
  return reranker.rank(query, texts, { scope, signal });
}
