/** The part of the service suite that is about scopes: nobody sees or changes what belongs to another, on no path. */
import { expect, test } from "vitest";
import { where } from "../base/filter.ts";
import type { EntryId } from "../base/ids.ts";
import { canSee, PUBLIC, type Scope } from "../base/scope.ts";
import type { HintName, Hints, Strategy } from "../services/hints.ts";
import type { ServiceTraits } from "../services/service.ts";
import { untyped } from "./collection-world.ts";
import { ALICE, BOB, NOTES, noteOf, type ServiceWorld } from "./service-world.ts";

/** The public first, so that what others say can be linked to it. */
const EVERYONE: readonly Scope[] = [PUBLIC, ALICE, BOB];

export function scopeLaws(
  get: () => ServiceWorld,
  traits: ServiceTraits,
  strategies: readonly Strategy[],
): void {
  const hasGraph = traits.abilities.includes("graph");

  /** The same notes for everybody, so that only the scope tells them apart; all linked through the public ones. */
  const rememberForAll = async (): Promise<Map<EntryId, Scope>> => {
    const owners = new Map<EntryId, Scope>();
    for (const scope of EVERYONE) {
      for (const n of [0, 1]) {
        const edges = hasGraph ? [...owners.keys()].slice(0, 2).map((to) => ({ to, type: "link" })) : [];
        const metadata = { triples: [{ subject: "Melanie", relation: "knows", object: "王芳" }] };
        owners.set(await get().remember(scope, n, { edges, metadata }), scope);
      }
    }
    return owners;
  };

  test.each(strategies)(
    "[C-31] nothing of another scope comes back by %s, whatever is hinted",
    async (strategy) => {
      const world = get();
      const owners = await rememberForAll();
      for (const scope of EVERYONE) {
        const own = [...owners].flatMap(([id, owner]) => (owner === scope ? [id] : []));
        for (const n of [0, 1]) {
          expect(await world.ask(scope, n, strategy), `${scope} finds its own`).toContain(own[n]);
          const question = world.questionFor(n, strategy);
          for (const hinted of hintsFor(world, strategy, [...owners.keys()])) {
            // Not refused either: the traits say that the hint is read.
            const hits = await world.service.retrieve(scope, {
              ...question,
              hints: { ...question.hints, ...hinted },
            });
            const foreign = hits.filter((hit) => !canSee(scope, hit.scope));
            expect(foreign, `${scope} by ${strategy} with ${JSON.stringify(hinted)}`).toEqual([]);
          }
        }
      }
    },
  );

  test.each(strategies)(
    "[C-31] by %s nobody can tell another's entry from one that is not there",
    async (strategy) => {
      const world = get();
      const hers = await world.remember(BOB, 1, keyed(traits, "secret 秘密"));
      await world.remember(ALICE, 0);
      const nobodys = world.store.newId();
      const ask = async (hints: Hints, id: EntryId) => {
        const question = { ...world.questionFor(1, strategy), touch: false };
        const asked = { ...question, hints: { ...question.hints, ...hints } };
        const narrowed = { ...asked, filter: where.eq("id", id) };
        expect(await world.service.retrieve(ALICE, narrowed)).toEqual([]);
        return world.service.retrieve(ALICE, asked);
      };
      expect(await ask({}, hers)).toEqual(await ask({}, nobodys));
      const reads = traits.strategies[strategy] ?? [];
      if (reads.includes("seeds")) {
        const found = await ask({ seeds: { [hers]: 1 } }, hers);
        expect(found).toEqual(await ask({ seeds: { [nobodys]: 1 } }, nobodys));
      }
      if (reads.includes("key"))
        expect(await ask({ key: "secret 秘密" }, hers)).toEqual(await ask({ key: "nobody's 无人" }, nobodys));
    },
  );

  test("[C-31] an entry of another is refused as one that is not there, and everything stays as it was", async () => {
    const world = get();
    const { service } = world;
    const mine = await world.remember(ALICE, 0);
    const older = await world.remember(ALICE, 1);
    const hers = await world.remember(BOB, 1);
    const link = (to: EntryId) => world.remember(ALICE, 3, { edges: [{ to, type: "link" }] });
    // A service may have no use for edges at all.
    const refusal = await link(mine).then(
      () => "entry_not_found" as const,
      () => "capability_missing" as const,
    );
    expect(refusal === "entry_not_found" || !hasGraph).toBe(true);
    const before = await Promise.all([ALICE, BOB, PUBLIC].map((scope) => world.state(scope)));
    const herEntry = before[1]?.entries.get(hers);
    if (herEntry === undefined) throw new Error("her entry is there");
    const nobodys = world.store.newId();
    for (const id of [hers, nobodys]) {
      expect(await service.delete(ALICE, id)).toBe(false);
      await world.refuses("entry_not_found", service.supersede(ALICE, [id], mine));
      await world.refuses("entry_not_found", service.supersede(ALICE, [mine], id));
      await world.refuses("entry_not_found", service.supersede(ALICE, [older, id], mine));
      await world.refuses("entry_not_found", world.remember(ALICE, 3, { supersedes: [id] }));
      await world.refuses("entry_not_found", world.remember(ALICE, 3, { supersedes: [older, id] }));
      await world.refuses(refusal, link(id));
      // A look is counted for what is still there: here for nothing.
      await service.touch(ALICE, [{ ...herEntry, id }]);
      await world.refuses("entry_not_found", service.feedback(ALICE, [{ ...herEntry, id }], 1));
    }
    expect(await Promise.all([ALICE, BOB, PUBLIC].map((scope) => world.state(scope)))).toEqual(before);
  });

  test("[C-31] what is public is seen by all and changed by the public scope alone", async () => {
    const world = get();
    const { service } = world;
    const mine = await world.remember(ALICE, 0);
    const shared = await world.remember(PUBLIC, 2);
    const before = await Promise.all([ALICE, PUBLIC].map((scope) => world.state(scope)));
    await world.refuses("scope_forbidden", service.delete(ALICE, shared));
    await world.refuses("scope_forbidden", service.supersede(ALICE, [shared], mine));
    await world.refuses("scope_forbidden", service.supersede(ALICE, [mine, shared], mine));
    await world.refuses("scope_forbidden", world.remember(ALICE, 3, { supersedes: [shared] }));
    await world.refuses("entry_not_found", service.supersede(PUBLIC, [shared], mine));
    expect(await Promise.all([ALICE, PUBLIC].map((scope) => world.state(scope)))).toEqual(before);
  });

  test("[C-31] an empty or illegal scope is refused", async () => {
    const world = get();
    const { service } = world;
    const id = await world.remember(ALICE, 0);
    const entry = (await world.everything(ALICE)).get(id);
    if (entry === undefined) throw new Error("the entry is there");
    const question = { text: noteOf(0), vectors: world.vectorsOf(0) };
    for (const nobody of ["", " ", "a\nb"].map((name) => untyped<Scope>(name))) {
      for (const call of [
        () => service.insert(nobody, { content: noteOf(0), vectors: world.vectorsOf(0) }),
        () => service.retrieve(nobody, question),
        () => service.delete(nobody, id),
        () => service.supersede(nobody, [id], world.store.newId()),
        () => service.touch(nobody, [entry]),
        () => service.feedback(nobody, [entry], 1),
        () => service.getStatus(nobody),
        () => service.acknowledge(nobody, "work"),
      ]) {
        await expect(call, `${JSON.stringify(nobody)} in ${call}`).rejects.toMatchObject({
          code: "scope_invalid",
        });
      }
    }
  });
}

/** One hint at a time, of those the strategy reads, each as far-reaching as it can be; first none. */
function hintsFor(world: ServiceWorld, strategy: Strategy, ids: readonly EntryId[]): readonly Hints[] {
  const { traits } = world.service;
  const fields = world.fields.map(({ name }) => name);
  const far: Record<HintName, readonly Hints[]> = {
    strategy: [],
    tiers: [{ tiers: traits.tiers }],
    indexes: [{ indexes: traits.abilities.filter((name) => ["vector", "text", "graph"].includes(name)) }],
    fields: [{ fields }],
    weights: [{ weights: Object.fromEntries(fields.map((name) => [name, 2])) }],
    keywords: [{ keywords: NOTES.flatMap((note) => [note, ...note.split(" ")]) }],
    entities: [{ entities: ["Melanie", "王芳", "北京"] }],
    seeds: [
      { seeds: Object.fromEntries(ids.map((id) => [id, 1])) },
      ...ids.map((id) => ({ seeds: { [id]: 1 } })),
    ],
    facts: [{ facts: Object.fromEntries(ids.map((id) => [id, 1])) }],
    edge_types: [
      { edge_types: ["link", "contains", "relation", "synonym"] },
      { edge_types: ["link"] },
      { edge_types: ["contains"] },
    ],
    depth: [{ depth: 10 }],
    time_range: [{ time_range: { from: 0 } }],
    max_hamming: [{ max_hamming: 256 }],
    key: [{ key: "Melanie" }],
  };
  return [{}, ...(traits.strategies[strategy] ?? []).flatMap((name) => far[name])];
}

/** A key, where the service has keys. */
function keyed({ abilities }: ServiceTraits, key: string) {
  return abilities.includes("keys") ? ({ insertMode: "active", insertParams: { key } } as const) : {};
}
