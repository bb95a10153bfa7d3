/** What became of a memory, as mem0 tells it: added, changed, deleted, with the words before and after. */
import { z } from "zod";
import type { Memory } from "../../runtime/memory.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import type { Event } from "../../storage/event.ts";
import { entityOf } from "./entities.ts";

export interface PastStep {
  readonly id: string;
  readonly memory_id: string;
  readonly input: readonly { readonly role: string; readonly content: string }[];
  readonly old_memory: string | null;
  readonly new_memory: string | null;
  readonly user_id: string | null;
  readonly event: "ADD" | "UPDATE" | "DELETE";
  readonly created_at: string;
  readonly updated_at: string;
}

const wordsSchema = z.object({ content: z.string() });

/** `shownId`: as the caller knows it. */
export async function pastOf(memory: Memory, id: string, shownId: string): Promise<PastStep[]> {
  const events = await memory.history(id);
  const { storage, design } = memory.running();
  const subject = events[0]?.subject;
  const [entry] =
    subject === undefined ? [] : await storage.entries(memory.scope, design.service.collection, [subject]);
  const [turns = []] = entry === undefined ? [] : await turnSources(storage, memory.scope, [entry]);
  const input = turns.map(({ role, text }) => ({ role, content: text }));
  const steps: PastStep[] = [];
  // Backwards from what it says now: an event keeps what was before it.
  let words: string | null = entry?.content ?? null;
  for (const event of events.toReversed()) {
    const before = wordsSchema.safeParse(event.before).data?.content;
    const kind = kindOf(event, before);
    if (kind === undefined) continue;
    const old = kind === "ADD" ? null : (before ?? null);
    const at = new Date(event.at).toISOString();
    steps.push({
      id: String(event.seq),
      memory_id: shownId,
      input,
      old_memory: old,
      new_memory: kind === "DELETE" ? null : words,
      user_id: entityOf(event.scope).user_id ?? null,
      event: kind,
      created_at: at,
      updated_at: at,
    });
    words = old ?? words;
  }
  return steps.reverse();
}

/** undefined: its words stayed as they were. */
function kindOf({ operation }: Event, before: string | undefined): PastStep["event"] | undefined {
  if (operation === "entry-insert" || operation === "entry-restore") return "ADD";
  if (operation === "entry-remove") return "DELETE";
  return operation === "entry-update" && before !== undefined ? "UPDATE" : undefined;
}
