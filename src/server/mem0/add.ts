/**
 * Messages become turns in the journal, from which the design makes its memories; with `infer: false` each message is a memory
 * as it was worded, which no design rewrites. Instructions of a system message are nobody's memory and are passed over, as
 * mem0 does.
 */

import type { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { NewTurn } from "../../base/turn.ts";
import type { JudgedMemory } from "../../runtime/judged-memory.ts";
import type { Memory } from "../../runtime/memory.ts";
import { besideMetadata, type MemoryView, viewsOf } from "./memory-view.ts";
import { addSchema, type Mem0Message } from "./requests.ts";

export type Mem0Add = z.infer<typeof addSchema>;

export function readAdd(body: unknown): Mem0Add {
  return parseInput(addSchema, body, "request to add");
}

export interface Added {
  readonly results: readonly (Pick<MemoryView, "id" | "memory"> & { readonly event: "ADD" | "NOOP" })[];
  /** Whether all of it has been taken up. */
  readonly isDone: boolean;
}

export async function add(memory: Memory, given: Mem0Add, isNamed: boolean): Promise<Added> {
  const said = saidIn(given);
  const wait = given.async_mode === true ? "journal" : given.async_mode === false ? "memory" : undefined;
  const begun = memory.running().clock.now();
  const { memories, delayed } = await memory.remember(said, { wait });
  const { storage, design } = memory.running();
  const found = await storage.entries(memory.scope, design.service.collection, memories ?? []);
  const entries = found.filter((entry) => entry !== undefined);
  const views = await viewsOf(memory, entries, isNamed);
  return {
    results: views.map(({ id, memory: text }, place) => ({
      id,
      memory: text,
      event: (entries[place]?.recordedAt ?? 0) >= begun ? "ADD" : "NOOP",
    })),
    isDone: memories !== null && delayed === null,
  };
}

function saidIn({
  messages,
  metadata,
  infer,
  timestamp,
  agent_id,
  app_id,
  run_id,
}: Mem0Add): (NewTurn | JudgedMemory)[] {
  const all = typeof messages === "string" ? [{ role: "user" as const, content: messages }] : messages;
  const beside = besideMetadata({
    agent_id: agent_id ?? undefined,
    app_id: app_id ?? undefined,
    metadata: metadata ?? undefined,
  });
  const more = {
    session: run_id ?? undefined,
    happenedAt: typeof timestamp === "number" ? timestamp * 1000 : undefined,
  };
  const said = all.filter(({ role }) => role !== "system");
  if (said.length === 0)
    throw new MemoryError(
      "input_invalid",
      "Nobody said anything. Valid: a message of role user, assistant or tool.",
    );
  return said.map((message) =>
    infer === false ? asJudged(message, beside, more) : asTurn(message, beside, more),
  );
}

type More = Pick<NewTurn, "session" | "happenedAt">;

function asTurn({ role, content, name }: Mem0Message, metadata: JsonObject | undefined, more: More): NewTurn {
  return { ...more, role, text: wordsOf(content), speaker: name ?? undefined, metadata };
}

/** Kept as it is, but not put into every prompt, as what somebody pins is. */
function asJudged(
  { content, name }: Mem0Message,
  metadata: JsonObject | undefined,
  more: More,
): JudgedMemory {
  return { ...more, judgment: wordsOf(content), speaker: name ?? undefined, pinned: false, metadata };
}

function wordsOf(content: Mem0Message["content"]): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .map(({ type, text }) => {
      if (type === "text" && text !== undefined) return text;
      throw new MemoryError(
        "input_invalid",
        `A message has a part of the type "${type.slice(0, 40)}", which is not read here. Valid: text.`,
      );
    })
    .join("\n");
}
