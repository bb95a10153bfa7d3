/** A command's work with the memory that its options name: opened before, closed after, however it ends. */
import { lazyBuiltInEmbedder } from "../models/local/lazy-built-in.ts";
import type { ChatModel } from "../models/model.ts";
import { Memory } from "../runtime/memory.ts";
import type { MemoryOptions } from "../runtime/memory-options.ts";
import { openSqlite } from "../storage/sqlite/sqlite-storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { Given } from "./command.ts";
import { type Meaning, meantMemory, tellIfNobodyThinks } from "./meant-memory.ts";
import type { Terminal } from "./terminal.ts";

export interface Opened {
  readonly memory: Memory;
  readonly storage: Storage;
  readonly file: string;
  /** Who thinks; undefined: rules. */
  readonly model: ChatModel | undefined;
}

export interface Opening extends Pick<MemoryOptions, "onWindow">, Meaning {
  /** Whether it works on what waits, too, and not only on what the command asks for. @default false */
  readonly background?: boolean;
  /** Nothing is said about who thinks. @default false */
  readonly isQuiet?: boolean;
  /** Whether the built-in embedder is loaded by the first text, so that it starts at once. @default false */
  readonly embedsLater?: boolean;
}

export async function withMemory(
  given: Given,
  terminal: Terminal,
  { isNew, traced, background = false, isQuiet = false, embedsLater = false, onWindow }: Opening,
  use: (opened: Opened) => Promise<number>,
): Promise<number> {
  const meant = await meantMemory(given, terminal, { isNew, traced });
  const { file, scope, preset, model, trace, warnings } = meant;
  const { env } = terminal;
  const storage = await openSqlite(file, { trace });
  const isLazy = embedsLater && preset.models.embedder === "built_in";
  const embedder = isLazy ? await lazyBuiltInEmbedder({ trace }) : undefined;
  const options = { storage, preset, scope, model, embedder, env, trace, background, onWindow };
  const memory = await Memory.open(options).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  try {
    if (!isQuiet) tellIfNobodyThinks(meant, terminal);
    return await use({ memory, storage, file, model });
  } finally {
    await memory.close();
    await embedder?.close();
    warnings.end();
  }
}
