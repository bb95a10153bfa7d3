/**
 * What a design has not taken up yet, read from the journal page by page: what was said, which comes in windows, and what
 * somebody judged, which comes at once. Only turns of the scope's own.
 */
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import { isJudged } from "../pipeline/judgment.ts";
import type { Storage } from "../storage/storage.ts";

/** Places in the journal up to which something has been taken up. */
export interface TakenUp {
  readonly done: number;
  readonly judged: number;
}

const PAGE = 1000;

export class UnreadTurns {
  /** In the order they were said. */
  fresh: readonly Turn[] = [];
  judged: readonly Turn[] = [];
  /** Everything up to here has been read. */
  known: number;
  readonly #storage: Storage;
  readonly #scope: Scope;
  readonly #from: TakenUp;

  constructor(storage: Storage, scope: Scope, from: TakenUp) {
    this.#storage = storage;
    this.#scope = scope;
    this.#from = from;
    this.known = Math.min(from.done, from.judged);
  }

  /** Reads on until so many turns wait for a window, or there are no more. */
  async readOn(wanted: number): Promise<void> {
    const { done, judged } = this.#from;
    while (this.fresh.length < wanted) {
      const page = await this.#storage.turns(this.#scope, { after: this.known, limit: PAGE });
      const own = page.filter(({ scope }) => scope === this.#scope);
      this.judged = [...this.judged, ...own.filter((turn) => isJudged(turn) && turn.seq > judged)];
      this.fresh = [...this.fresh, ...own.filter((turn) => !isJudged(turn) && turn.seq > done)];
      this.known = page.at(-1)?.seq ?? this.known;
      if (page.length < PAGE) return;
    }
  }

  /** What was judged is taken up to here, and all before it: nothing of it has to be looked for again. */
  get judgedUpTo(): number {
    const next = this.judged[0];
    return next === undefined ? this.known : next.seq - 1;
  }

  /** The same of what was said. */
  get saidUpTo(): number {
    const next = this.fresh[0];
    return next === undefined ? this.known : next.seq - 1;
  }
}

/** What was said between two places, as far as the first page that holds any of it. */
export async function saidBetween(storage: Storage, scope: Scope, from: number, to: number): Promise<Turn[]> {
  for (let after = from; after < to; ) {
    const page = await storage.turns(scope, { after, limit: PAGE });
    const said = page.filter((turn) => turn.scope === scope && turn.seq <= to && !isJudged(turn));
    const last = page.at(-1);
    if (said.length > 0 || last === undefined) return said;
    after = last.seq;
  }
  return [];
}
