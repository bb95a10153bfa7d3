/** The sample into a memory, every turn once, also after a run that was stopped half-way. */
import type { Memory } from "../runtime/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { importTurns } from "./import-turns.ts";
import { SAMPLE_CONVERSATION } from "./sample-conversation.ts";

export interface LoadedSample {
  readonly added: number;
  readonly takenUp: number;
}

export async function loadSample(
  storage: Storage,
  memory: Memory,
  {
    signal,
    begin,
  }: { readonly signal?: AbortSignal | undefined; readonly begin?: (turns: number) => void } = {},
): Promise<LoadedSample> {
  const { added } = await importTurns(storage, memory.scope, SAMPLE_CONVERSATION);
  const { waiting } = await memory.status();
  begin?.(waiting);
  const { turns } = await memory.flush({ signal });
  return { added, takenUp: turns };
}
