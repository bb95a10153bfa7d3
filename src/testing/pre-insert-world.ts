/** A pipeline whose pre_insert and memory_insert are under test: every insert method is there, and nothing after them. */
import { MEMORY_INSERT } from "../actions/memory-insert/index.ts";
import type { Entry } from "../base/entry.ts";
import type { JsonObject } from "../base/json.ts";
import type { NewTurn } from "../base/turn.ts";
import type { Draft } from "../pipeline/draft.ts";
import type { Chosen } from "./pipeline-world.ts";
import { openPostInsertWorld, type PostInsertSetup, type PostInsertWorld } from "./post-insert-world.ts";

export interface PreInsertSetup extends Omit<PostInsertSetup, "post" | "insert"> {
  readonly pre: readonly Chosen<"pre_insert">[];
  /** Options of insert methods, by name. */
  readonly insertOptions?: Readonly<Record<string, JsonObject>>;
}

export interface PreInsertWorld extends PostInsertWorld {
  /** Inserts, and gives what was stored of it, in order, with the drafts it was made from. */
  keep(turns: readonly (string | NewTurn)[]): Promise<Kept>;
}

export interface Kept {
  readonly entries: readonly Entry[];
  readonly drafts: readonly Draft[];
  /** By the actions of pre_insert. */
  readonly notes: JsonObject;
}

const PLAIN: Readonly<Record<string, JsonObject>> = {
  summary_insert: { target_tier: null },
  priority_insert: { tiers: null },
  multi_index_insert: { target_indexes: null },
};

export async function openPreInsertWorld({
  insertOptions = {},
  ...setup
}: PreInsertSetup): Promise<PreInsertWorld> {
  const insert = MEMORY_INSERT.map((action) => ({
    action,
    options: insertOptions[action.name] ?? PLAIN[action.name] ?? {},
  }));
  const world = await openPostInsertWorld({ ...setup, insert, post: [] });
  return {
    ...world,
    async keep(turns) {
      const { inserted, stages } = await world.say(turns);
      const all = await world.all();
      return {
        entries: inserted.flatMap(({ id }) => all.filter((entry) => entry.id === id)),
        drafts: inserted.map(({ draft }) => draft),
        notes: Object.assign(
          {},
          ...stages.filter(({ stage }) => stage === "pre_insert").map(({ notes }) => notes),
        ),
      };
    },
  };
}
