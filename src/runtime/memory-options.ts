/** What a memory is opened with; what is not known is refused, so that a misspelt option is not silently left out. */
import { z } from "zod";
import type { Clock } from "../base/clock.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { Trace } from "../base/trace.ts";
import type { EmbedderSet } from "../models/local/embedder-set.ts";
import type { ChatModel, Reranker } from "../models/model.ts";
import type { Preset } from "../preset/preset.ts";
import type { Storage } from "../storage/storage.ts";
import type { WindowDone } from "./derive.ts";

export interface MemoryOptions {
  /** A file of the embedded back end; made if it is not there. */
  readonly path?: string | undefined;
  /** In place of `path`: a PostgreSQL server, as "postgres://user:password@host:5432/database"; needs the package pg. */
  readonly url?: string | undefined;
  /** In place of `path`: opened by the caller, closed by `close()`: openPostgres(…), openInMemory(). */
  readonly storage?: Storage | undefined;
  /** A design: a name of the package's, a path of a YAML file, or one that was loaded. @default neuromem */
  readonly preset?: string | Preset | undefined;
  /** Whose memory it is; every call is for this scope. `in(scope)` gives the same memory for another. */
  readonly scope: string;
  /** In place of what the preset names. */
  readonly model?: ChatModel | undefined;
  readonly embedder?: EmbedderSet | undefined;
  readonly reranker?: Reranker | undefined;
  /** Where keys are looked up. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
  /** Whether it goes on by itself with what waits; else it does what a call asks for and no more. @default true */
  readonly background?: boolean | undefined;
  /** Told whenever a window of the journal has been taken up. */
  readonly onWindow?: ((scope: Scope, done: WindowDone) => void) | undefined;
}

const object = z.custom<object>((value) => typeof value === "object" && value !== null, "must be an object");
const call = z.custom<() => unknown>((value) => typeof value === "function", "must be a function");

const optionsSchema = z.strictObject({
  path: z.string().optional(),
  url: z.string().optional(),
  storage: object.optional(),
  preset: z.union([z.string(), object]).optional(),
  scope: z.string(),
  model: object.optional(),
  embedder: object.optional(),
  reranker: object.optional(),
  env: object.optional(),
  clock: object.optional(),
  trace: call.optional(),
  background: z.boolean().optional(),
  onWindow: call.optional(),
});

export function checkMemoryOptions(options: MemoryOptions): void {
  parseInput(optionsSchema, options, "options of Memory.open");
}
