/**
 * How does mem0 show a memory? With whom it is about, what the caller wrote beside it, and when it came and changed. Labels and
 * metadata are kept with what was said, under one name, so they outlive a change of the design; a memory that was made of
 * several turns has those of all, the later one where they differ. `created_at` is when it was said.
 */
import { z } from "zod";
import type { Entry } from "../../base/entry.ts";
import { type JsonObject, jsonObjectSchema } from "../../base/json.ts";
import type { Turn } from "../../base/turn.ts";
import { judgmentOf } from "../../pipeline/judgment.ts";
import type { Memory } from "../../runtime/memory.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import { entityOf } from "./entities.ts";
import { writeId } from "./memory-id.ts";

export interface MemoryView {
  readonly id: string;
  readonly memory: string;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  readonly run_id: string | null;
  readonly hash: string;
  readonly metadata: JsonObject;
  readonly categories: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** What is written beside what was said. */
export interface Beside {
  readonly agent_id?: string | undefined;
  readonly app_id?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

const BESIDE = "mem0";
const besideSchema = z
  .object({
    agent_id: z.string().optional(),
    app_id: z.string().optional(),
    metadata: jsonObjectSchema.optional(),
  })
  .catch({});

/** As a turn's metadata, or a judged memory's; undefined: nothing is beside it. */
export function besideMetadata(beside: Beside): JsonObject | undefined {
  const told = Object.entries(beside).filter(([, value]) => value !== undefined);
  return told.length === 0 ? undefined : { [BESIDE]: Object.fromEntries(told) };
}

/** `isNamed`: whether ids have to say whose they are. */
export async function viewsOf(
  memory: Memory,
  entries: readonly Entry[],
  isNamed: boolean,
): Promise<MemoryView[]> {
  const turns = await turnSources(memory.running().storage, memory.scope, entries);
  return entries.map((entry, place) => viewOf(entry, turns[place] ?? [], isNamed ? memory.scope : undefined));
}

function viewOf(entry: Entry, turns: readonly Turn[], scope: string | undefined): MemoryView {
  const all = turns.map(besideOf);
  const last = (name: "agent_id" | "app_id"): string | undefined =>
    all.findLast((one) => one[name] !== undefined)?.[name];
  const { user_id = null, agent_id = last("agent_id"), app_id = last("app_id") } = entityOf(entry.scope);
  const session = turns.at(-1)?.session ?? "";
  return {
    id: writeId({ id: entry.id, scope }),
    memory: entry.content,
    user_id,
    agent_id: agent_id ?? null,
    app_id: app_id ?? null,
    run_id: session === "" ? null : session,
    hash: entry.contentHash,
    metadata: Object.assign({}, ...all.map(({ metadata }) => metadata ?? {})),
    categories: entry.tags,
    created_at: new Date(entry.happenedAt).toISOString(),
    updated_at: new Date(entry.updatedAt).toISOString(),
  };
}

export function besideOf(turn: Turn): Beside {
  return besideSchema.parse(turn.metadata[BESIDE] ?? judgmentOf(turn)?.own?.[BESIDE]);
}
