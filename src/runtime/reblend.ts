/**
 * Blended vectors, made again (`blend_embed`): a memory that says what its turns said is blended of the same texts as when it
 * came, for the journal still has them. What an action has reworded, or whose turns are gone, cannot be.
 */

import { type Blendable, blendVectors } from "../actions/pre-insert/blend-embed/blend-vectors.ts";
import { blendEmbed } from "../actions/pre-insert/blend-embed.ts";
import type { Entry } from "../base/entry.ts";
import { isEntryId, parseTurnId, type TurnId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { Turn } from "../base/turn.ts";
import type { Vector } from "../base/vector.ts";
import { draftsOf } from "../pipeline/draft.ts";
import { heardTurns } from "../pipeline/heard-turns.ts";
import { isJudged } from "../pipeline/judgment.ts";
import type { Preset } from "../preset/preset.ts";
import type { Storage } from "../storage/storage.ts";
import { ownTurns } from "./pages.ts";

/** A memory and the text that its design embeds of it as a whole. */
export interface Blended {
  readonly entry: Entry;
  readonly text: string;
}

type Embed = (texts: readonly string[]) => Promise<readonly (Vector | undefined)[]>;

/** By what was asked for; absent: it cannot be made again; undefined: nobody reads its language. */
export type Reblend = <One extends Blended>(
  asked: readonly One[],
  embed: Embed,
) => Promise<Map<One, Vector | undefined>>;

export function openReblend({ stages, input }: Preset, storage: Storage, scope: Scope): Reblend {
  const written = stages.pre_insert.find(({ action }) => action === blendEmbed.name);
  const options = blendEmbed.options.safeParse(written?.options).data;
  let previous: Promise<ReadonlyMap<TurnId, TurnId>> | undefined;
  return async (asked, embed) => {
    if (options === undefined || asked.length === 0) return new Map();
    previous ??= options.before_weight > 0 ? previousTurns(storage, scope) : Promise.resolve(new Map());
    const before = await previous;
    const cited = asked.flatMap(({ entry }) => entry.sources.filter(isEntryId).map(parseTurnId));
    const ids = [...new Set([...cited, ...cited.flatMap((id) => before.get(id) ?? [])])];
    const there = ids.length === 0 ? [] : await storage.turns(scope, { ids, limit: ids.length });
    const turnOf = new Map<string, Turn>(there.map((turn) => [turn.id, turn]));
    const found = asked.flatMap((one) => {
      const blendable = blendableOf(one, input, turnOf, before);
      return blendable === undefined ? [] : [{ one, blendable }];
    });
    const blendables = found.map(({ blendable }) => blendable);
    const vectors = await blendVectors(blendables, embed, options);
    return new Map(found.map(({ one }, place) => [one, vectors[place]]));
  };
}

function blendableOf(
  { entry, text }: Blended,
  input: Preset["input"],
  turnOf: ReadonlyMap<string, Turn>,
  previous: ReadonlyMap<TurnId, TurnId>,
): Blendable | undefined {
  const turns = heardTurns(entry.sources.flatMap((id) => turnOf.get(id) ?? []));
  const [draft, ...others] = draftsOf(turns, input);
  if (draft === undefined || others.length > 0 || draft.judged === true) return undefined;
  if (draft.content !== entry.content) return undefined;
  const earlier = draft.turns.slice(0, 1).flatMap(({ id }) => turnOf.get(previous.get(id) ?? "") ?? []);
  const [before] = heardTurns(earlier);
  return { draft: { ...draft, embedText: text }, before };
}

/** By turn the one said just before it, if it is of the same session; as windows show them, whichever way they are cut. */
async function previousTurns(storage: Storage, scope: Scope): Promise<ReadonlyMap<TurnId, TurnId>> {
  const out = new Map<TurnId, TurnId>();
  let last: Turn | undefined;
  for await (const turn of ownTurns(storage, scope)) {
    if (isJudged(turn)) continue;
    if (last?.session === turn.session) out.set(turn.id, last.id);
    last = turn;
  }
  return out;
}
