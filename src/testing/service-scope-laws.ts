/** The part of the service suite that is about scopes: nobody sees or changes what belongs to another, on no path. */
import { expect, test } from "vitest";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { canSee, PUBLIC, type Scope } from "../base/scope.ts";
import type { HintName, Hints, Strategy } from "../services/hints.ts";
import { untyped } from "./collection-world.ts";
import { ALICE, BOB, NOTES, noteOf, type ServiceWorld } from "./service-world.ts";

const EVERYONE: readonly Scope[] = [ALICE, BOB, PUBLIC];

export function scopeLaws(get: () => ServiceWorld, strategies: readonly Strategy[]): void {
  /** The same notes for everybody, so that only the scope tells them apart. */
  const rememberForAll = async (): Promise<Map<EntryId, Scope>> => {
    const owners = new Map<EntryId, Scope>();
    for (const scope of EVERYONE) for (const n of [0, 1]) owners.set(await get().remember(scope, n), scope);
    return owners;
  };

  test.each(strategies)(
    "[C-31] nothing of another scope comes back by %s, whatever is hinted",
    async (strategy) => {
      const world = get();
      const owners = await rememberForAll();
      for (const scope of EVERYONE) {
        for (const n of [0, 1]) {
          const found = await world.ask(scope, n, strategy);
          const own = [...owners].flatMap(([id, owner]) => (owner === scope ? [id] : []));
          expect(
            found.filter((id) => own.includes(id)),
            `${scope} finds its own`,
          ).not.toEqual([]);
          const hints = hintsFor(world, strategy, [...owners.keys()]);
          for (const hinted of [{}, ...hints]) {
            const question = world.questionFor(n, strategy);
            const hits = await orRefused(
              world.service.retrieve(scope, { ...question, hints: { ...question.hints, ...hinted } }),
            );
            const foreign = hits.filter((hit) => !canSee(scope, hit.scope));
            expect(foreign, `${scope} by ${strategy} with ${JSON.stringify(hinted)}`).toEqual([]);
          }
        }
      }
    },
  );

  test("[C-31] what belongs to another cannot be deleted, superseded or linked to, and stays as it was", async () => {
    const world = get();
    const mine = await world.remember(ALICE, 0);
    const hers = await world.remember(BOB, 1);
    const shared = await world.remember(PUBLIC, 2);
    const before = [await world.everything(BOB), await world.everything(PUBLIC)];
    expect(await world.service.delete(ALICE, hers)).toBe(false);
    await world.refuses("scope_forbidden", world.service.delete(ALICE, shared));
    await world.refuses("entry_not_found", world.service.supersede(ALICE, [hers], mine));
    await world.refuses("scope_forbidden", world.service.supersede(ALICE, [shared], mine));
    await world.refuses("entry_not_found", world.remember(ALICE, 3, { supersedes: [hers] }));
    const count = (await world.everything(ALICE)).size;
    await expect(world.remember(ALICE, 3, { edges: [{ to: hers, type: "link" }] })).rejects.toThrow();
    expect((await world.everything(ALICE)).size).toBe(count);
    expect([await world.everything(BOB), await world.everything(PUBLIC)]).toEqual(before);
  });

  test("[C-31] an empty or illegal scope is refused", async () => {
    const { service } = get();
    const nobody = untyped<Scope>("");
    const entry = { content: noteOf(0), vectors: get().vectorsOf(0) };
    for (const call of [
      () => service.insert(nobody, entry),
      () => service.retrieve(nobody, { text: noteOf(0), vectors: get().vectorsOf(0) }),
      () => service.getStatus(nobody),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "scope_invalid" });
    }
  });
}

/** One hint at a time, of those the strategy reads, each as far-reaching as it can be. */
function hintsFor(world: ServiceWorld, strategy: Strategy, ids: readonly EntryId[]): readonly Hints[] {
  const { traits } = world.service;
  const far: Partial<Record<HintName, Hints>> = {
    tiers: { tiers: traits.tiers },
    fields: { fields: world.fields.map(({ name }) => name) },
    weights: { weights: Object.fromEntries(world.fields.map(({ name }) => [name, 2])) },
    keywords: { keywords: NOTES.flatMap((note) => [note, ...note.split(" ")]) },
    entities: { entities: ["Melanie", "王芳", "北京"] },
    seeds: { seeds: Object.fromEntries(ids.map((id) => [id, 1])) },
    depth: { depth: 5 },
    time_range: { time_range: { from: 0 } },
    max_hamming: { max_hamming: 256 },
    key: { key: "Melanie" },
  };
  return (traits.strategies[strategy] ?? []).flatMap((name) => far[name] ?? []);
}

/** A hint that leads to what the scope may not see may be refused, too. */
async function orRefused<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (MemoryError.is(error) && error.code !== "invariant") return [];
    throw error;
  }
}
