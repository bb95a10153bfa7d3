/**
 * Turns of a file into the journal, each once: a turn that was imported carries a mark made of its id where it came from or,
 * where it has none, of its session, speaker, words and time, and of how many like it came before. So the same file adds
 * nothing and a longer one adds what is new, also where two processes import it at once. Judged memories are no exception.
 */
import { createHash, randomUUID } from "node:crypto";
import { systemClock } from "../base/clock.ts";
import type { Scope } from "../base/scope.ts";
import { silent } from "../base/trace.ts";
import type { NewTurn } from "../base/turn.ts";
import { appendTurns } from "../pipeline/journal.ts";
import { alone } from "../runtime/alone.ts";
import type { Storage } from "../storage/storage.ts";
import { SOURCE_ID } from "./conversation/conversation.ts";

/** The work of which one process at a time does it for a scope. */
const KIND = "import";
const MARK = "import_mark";
const PAGE = 1000;

export interface Imported {
  readonly added: number;
  /** Were there already. */
  readonly known: number;
}

export async function importTurns(
  storage: Storage,
  scope: Scope,
  turns: readonly NewTurn[],
  onWait?: () => void,
): Promise<Imported> {
  const deps = { storage, clock: systemClock, trace: silent };
  const work = { id: `${KIND}/${scope}`, kind: KIND, scope };
  return alone(deps, work, { owner: randomUUID(), onWait }, async () => {
    const known = await knownMarks(storage, scope);
    const marked = withMarks(turns);
    const fresh = marked.filter(({ mark }) => !known.has(mark)).map(({ turn }) => turn);
    for (let at = 0; at < fresh.length; at += PAGE)
      await appendTurns(storage, scope, fresh.slice(at, at + PAGE));
    return { added: fresh.length, known: turns.length - fresh.length };
  });
}

function withMarks(turns: readonly NewTurn[]): { readonly mark: string; readonly turn: NewTurn }[] {
  const seen = new Map<string, number>();
  return turns.map((turn) => {
    const { session, speaker, text, happenedAt, metadata = {} } = turn;
    const source = metadata[SOURCE_ID];
    const words = JSON.stringify(source === undefined ? [session, speaker, text, happenedAt] : [source]);
    const before = seen.get(words) ?? 0;
    seen.set(words, before + 1);
    const mark = createHash("sha256").update(`${before} ${words}`).digest("hex").slice(0, 32);
    return { mark, turn: { ...turn, metadata: { ...metadata, [MARK]: mark } } };
  });
}

async function knownMarks(storage: Storage, scope: Scope): Promise<ReadonlySet<string>> {
  const marks = new Set<string>();
  for (let after = 0; ; ) {
    const page = await storage.turns(scope, { after, limit: PAGE });
    for (const turn of page) {
      const mark = turn.metadata[MARK];
      if (turn.scope === scope && typeof mark === "string") marks.add(mark);
    }
    const last = page.at(-1);
    if (last === undefined) return marks;
    after = last.seq;
  }
}
