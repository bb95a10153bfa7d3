/**
 * A preset at work, as a user meets it: a real SQLite file, the journal, the windows the preset asks for, and a model that
 * is a scripted server, or none. The file can be closed and opened again, and the model can go down and come back.
 *
 *     const world = await openPresetWorld("mem0", { replies: { extract_facts: { facts: [...] } } });
 *     await world.say([{ speaker: "Mia", text: "I moved to Rome." }]);
 *     const { hits } = await world.ask("Where does Mia live?");
 *     world.calls(); // ["extract_facts", "decide_crud"]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../base/clock.ts";
import type { Entry } from "../base/entry.ts";
import type { Json } from "../base/json.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { NewTurn } from "../base/turn.ts";
import { builtInEmbedder } from "../models/local/built-in.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import { appendTurns } from "../pipeline/journal.ts";
import type { RetrieveResult } from "../pipeline/plan.ts";
import type { NewQuestion } from "../pipeline/question.ts";
import { loadPreset } from "../preset/load.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import type { Preset } from "../preset/preset.ts";
import { type Derived, derive, type WindowDone } from "../runtime/derive.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { SeenRequest, ServerReply } from "./model-server.ts";
import { scriptedModel } from "./scripted-model.ts";

/** What the model answers, by task: a reply, several in turn (the last one repeats), or a function of the request. */
export type Replies = Readonly<
  Record<string, Json | ServerReply | readonly Json[] | ((request: SeenRequest) => Json | ServerReply)>
>;

export interface PresetWorldOptions {
  /** Without them there is no model. */
  readonly replies?: Replies;
  /** @default the built-in one, opened once for all worlds */
  readonly embedder?: EmbedderSet | undefined;
}

export interface PresetWorld {
  readonly preset: Preset;
  readonly clock: ReturnType<typeof manualClock>;
  readonly heard: readonly TraceEvent[];
  memory(): OpenPreset;
  storage(): Storage;
  /** Journals, and takes up what makes whole windows; `finish`: all of it (the default). */
  say(
    turns: readonly (string | NewTurn)[],
    how?: { readonly scope?: Scope; readonly finish?: boolean },
  ): Promise<Derived & { readonly done: readonly WindowDone[] }>;
  /** Takes up what was left. */
  resume(how?: { readonly scope?: Scope; readonly finish?: boolean }): Promise<Derived>;
  ask(question: string | NewQuestion, scope?: Scope): Promise<RetrieveResult>;
  /** All entries of the scope's own, current or not, oldest id first. */
  entries(scope?: Scope): Promise<Entry[]>;
  /** Names of the tasks that the model was asked since the last call of this. */
  calls(): string[];
  /** Requests to the model so far. */
  readonly requests: readonly SeenRequest[];
  /** The model answers 503 until it is told to be up again. */
  setDown(isDown: boolean): void;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const ALICE = parseScope("alice");

let shared: Promise<EmbedderSet> | undefined;
/** Loading weights takes a while: one for all. */
export function sharedEmbedder(): Promise<EmbedderSet> {
  shared ??= builtInEmbedder({});
  return shared;
}

export async function openPresetWorld(
  name: string | Preset,
  { replies, ...given }: PresetWorldOptions = {},
): Promise<PresetWorld> {
  const preset = typeof name === "string" ? await loadPreset(name) : name;
  const folder = await mkdtemp(join(tmpdir(), "neuromem-preset-"));
  const clock = manualClock(Date.UTC(2026, 4, 1, 12));
  const heard: TraceEvent[] = [];
  const trace = (event: TraceEvent): void => {
    heard.push(event);
  };
  const script = replies === undefined ? undefined : scriptOf(replies);
  const scripted = script === undefined ? undefined : await scriptedModel(script.answer);
  const embedder = "embedder" in given ? given.embedder : await sharedEmbedder();
  const open = async (): Promise<{ storage: Storage; memory: OpenPreset }> => {
    const storage = await openSqlite(join(folder, "memory.db"), { clock });
    const deps = { storage, model: scripted?.model, embedder, clock, trace };
    return { storage, memory: await openPreset(preset, deps) };
  };
  let { storage, memory } = await open();
  let told = 0;
  return {
    preset,
    clock,
    heard,
    memory: () => memory,
    storage: () => storage,
    async say(turns, { scope = ALICE, finish = true } = {}) {
      const said = turns.map((turn) => (typeof turn === "string" ? { text: turn } : turn));
      await appendTurns(storage, scope, said, clock);
      const done: WindowDone[] = [];
      const derived = await derive(memory, storage, scope, { finish, onWindow: (one) => done.push(one) });
      return { ...derived, done };
    },
    resume: ({ scope = ALICE, finish = true } = {}) => derive(memory, storage, scope, { finish }),
    ask: (question, scope = ALICE) =>
      memory.retrieve(scope, typeof question === "string" ? { text: question } : question),
    entries: (scope = ALICE) =>
      storage.scan(scope, { collection: memory.service.collection, limit: 10_000, own: true }),
    calls() {
      const fresh = script?.asked.slice(told) ?? [];
      told = script?.asked.length ?? 0;
      return fresh;
    },
    get requests() {
      return scripted?.server.requests ?? [];
    },
    setDown(isDown) {
      script?.setDown(isDown);
    },
    async restart() {
      await memory.close();
      await storage.close();
      // Ids of two openings within one millisecond would have no order.
      clock.advance(1000);
      ({ storage, memory } = await open());
    },
    async close() {
      await memory.close();
      await storage.close();
      await scripted?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The scripted server answers by the task that asks; a task without a reply is a fault of the test, told as such. */
function scriptOf(replies: Replies): {
  readonly asked: string[];
  answer(request: SeenRequest): ServerReply;
  setDown(isDown: boolean): void;
} {
  const asked: string[] = [];
  const turns = new Map<string, number>();
  let isDown = false;
  return {
    asked,
    setDown(down) {
      isDown = down;
    },
    answer(request) {
      if (isDown) return { status: 503, body: { error: { message: "down" } } };
      const task = taskOf(request);
      asked.push(task);
      const reply = replies[task];
      if (reply === undefined)
        return { status: 400, body: { error: { message: `no reply for the task ${task}` } } };
      if (typeof reply === "function") return asReply(reply(request));
      if (!Array.isArray(reply)) return asReply(reply);
      const turn = turns.get(task) ?? 0;
      turns.set(task, turn + 1);
      return asReply(reply[Math.min(turn, reply.length - 1)] ?? null);
    },
  };
}

/** The task's name stands in the request as the name of the wanted shape; a request with tools is "tools". */
export function taskOf({ body }: SeenRequest): string {
  const format = body.response_format;
  const schema =
    typeof format === "object" && format !== null && "json_schema" in format ? format.json_schema : null;
  if (typeof schema === "object" && schema !== null && "name" in schema) return String(schema.name);
  return Array.isArray(body.tools) ? "tools" : "unknown";
}

function isServerReply(reply: Json | ServerReply): reply is ServerReply {
  if (typeof reply === "string") return true;
  return (
    typeof reply === "object" &&
    reply !== null &&
    ("status" in reply || "fault" in reply || "toolCalls" in reply)
  );
}

function asReply(reply: Json | ServerReply): ServerReply {
  return isServerReply(reply) ? reply : JSON.stringify(reply);
}
