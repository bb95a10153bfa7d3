/** The memory, the design and the model that the options name, opened. */
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { where } from "../base/filter.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import { ENDPOINTS, type EndpointRow } from "../models/endpoints.ts";
import type { ChatModel } from "../models/model.ts";
import { openChatModel } from "../models/open-model.ts";
import { loadPreset } from "../preset/load.ts";
import { type OpenPreset, openPreset } from "../preset/open.ts";
import type { Preset } from "../preset/preset.ts";
import { Worker } from "../runtime/worker.ts";
import { memoriesOnly } from "../services/graph/entity.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { Given } from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { openWarnings } from "./warnings.ts";

export interface OpenMemory {
  readonly storage: Storage;
  readonly memory: OpenPreset;
  /** Keeps other processes from the same work; it does what it is asked for and nothing in the background. */
  readonly worker: Worker;
  readonly scope: Scope;
  readonly file: string;
  /** Who thinks; null: rules. */
  readonly model: string | null;
  /** Memories of the scope's own; things they speak of, and what they state of them, are none. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** `isNew`: a file that is not there is made. */
export async function openMemory(
  given: Given,
  terminal: Terminal,
  { isNew }: { readonly isNew: boolean },
): Promise<OpenMemory> {
  const scope = parseScope(given.text("scope"));
  const preset = await loadPreset(given.text("preset") ?? "");
  const file = fileOf(given.text("db"), terminal.env);
  if (!isNew && !existsSync(file)) {
    throw new MemoryError(
      "input_invalid",
      `There is no memory ${file}. Valid: --db with the file of one; neuromem import makes one.`,
    );
  }
  const warnings = openWarnings(terminal);
  const trace = (event: TraceEvent): void => {
    if (event.type === "warning-raise") warnings.tell(event.code, event.message);
  };
  const model = modelOf(given, preset, terminal.env, trace);
  if (isNew) makeFolder(dirname(file));
  const storage = await openSqlite(file);
  const memory = await openPreset(preset, { storage, model, env: terminal.env, trace }).catch(
    async (error: unknown) => {
      await storage.close();
      throw error;
    },
  );
  const worker = new Worker({ storage, memory, clock: systemClock, trace });
  const thinks = model?.id ?? preset.models.chat?.model ?? null;
  if (thinks === null && couldThink(preset)) terminal.note(terminal.text(NO_MODEL));
  return {
    storage,
    memory,
    worker,
    scope,
    file,
    model: thinks,
    count: async () => (await storage.find(scope, memory.service.collection, COUNTED, true)).size,
    async close() {
      warnings.end();
      await worker.close();
      await memory.close();
      await storage.close();
    },
  };
}

const COUNTED = where.and(memoriesOnly, where.eq("supersededBy", null));

const NO_MODEL = {
  en: "No model: everything is done here, by rules. --model names one.",
  zh: "没有模型：全部在本机按规则完成。用 --model 指定模型。",
};

function couldThink({ about }: Preset): boolean {
  return about === null || about.calls.write !== "0" || about.calls.read !== "0";
}

function fileOf(given: string | undefined, env: Terminal["env"]): string {
  const named = given ?? env.NEUROMEM_DB;
  if (named !== undefined && named !== "") return resolve(named);
  return join(dataFolder(env), "neuromem", "memory.db");
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new MemoryError(
      "storage_io",
      `The folder ${folder} could not be made. Valid: --db with a place you may write to.`,
      { cause },
    );
  }
}

/** Where each system keeps what programs store for a user. */
function dataFolder(env: Terminal["env"]): string {
  if (process.platform === "win32") return env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  return env.XDG_DATA_HOME ?? join(homedir(), ".local", "share");
}

/** As asked for, else as the preset says; with the key that is usual there. */
function modelOf(
  given: Given,
  { models: { chat } }: Preset,
  env: Terminal["env"],
  trace: (event: TraceEvent) => void,
): ChatModel | undefined {
  const asked = given.text("model");
  const baseUrl = given.text("base-url");
  if (asked === undefined) {
    if (baseUrl !== undefined) {
      throw new MemoryError("option_invalid", "--base-url is of no use alone. Valid: --model with it.");
    }
    // A preset that says where its key is, is opened with it.
    if (chat === null || chat.api_key !== null) return undefined;
    const { endpoint, model, base_url } = chat;
    return openChatModel(
      endpoint,
      { model, key: keyFor(endpoint, env), baseUrl: base_url ?? undefined },
      { trace },
    );
  }
  const [, endpoint, model] = /^([^:]+):(.+)$/.exec(asked) ?? [];
  if (endpoint === undefined || model === undefined) {
    throw new MemoryError(
      "option_invalid",
      `--model is "${asked}". Valid: ENDPOINT:MODEL, as openai:gpt-4.1-mini.`,
    );
  }
  const settings = { model, key: keyFor(endpoint, env), baseUrl };
  return openChatModel(endpoint, settings, { trace });
}

/** OPENAI_API_KEY for openai; MINE_API_KEY for a server of one's own that is called mine. */
function keyFor(endpoint: string, env: Terminal["env"]): string | undefined {
  const rows: Readonly<Record<string, EndpointRow>> = ENDPOINTS;
  const row = Object.hasOwn(rows, endpoint) ? rows[endpoint] : undefined;
  const name = row === undefined ? `${endpoint.toUpperCase().replace(/\W/g, "_")}_API_KEY` : row.keyName;
  return name === null ? undefined : env[name];
}
