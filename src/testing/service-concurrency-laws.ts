/** The part of the service suite that is about several callers at once, in one process or in two: they lose nothing. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ARCHIVED } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import type { Scope } from "../base/scope.ts";
import type { ServiceInsert, ServiceTraits } from "../services/service.ts";
import {
  ALICE,
  BOB,
  NOTES,
  noteOf,
  type ServiceSubject,
  ServiceWorld,
  type StorageName,
} from "./service-world.ts";

const MANY = 20;
/** Steps of the event loop between two moments; a write alone takes more. */
const STRIDE = 7;

export function concurrencyLaws(subject: ServiceSubject, traits: ServiceTraits, on: StorageName): void {
  let world: ServiceWorld;
  beforeEach(async () => {
    world = new ServiceWorld({ ...subject, options: { ...subject.options, ...subject.crowded } }, on);
    await world.start();
  });
  afterEach(() => world.stop());

  /** The n-th note, about two people that other notes are about, too. */
  const entryOf = (n: number): ServiceInsert => ({
    content: noteOf(n),
    vectors: world.vectorsOf(n),
    metadata: { triples: [{ subject: `Melanie ${n % 3}`, relation: "knows", object: "王芳" }], n },
  });
  const rememberMany = async (scope: Scope, count: number): Promise<EntryId[]> => {
    const ids = [];
    for (let n = 0; n < count; n++) ids.push(await world.service.insert(scope, entryOf(n)));
    return ids;
  };

  test("[S0-61] twenty inserts at once lose nothing, and do and leave what the same twenty do one by one", async () => {
    await rememberMany(BOB, MANY);
    const oneByOne = world.takeWrites();
    const ids = await Promise.all(
      Array.from({ length: MANY }, (_, n) => world.service.insert(ALICE, entryOf(n))),
    );
    expect(world.takeWrites(), "nothing is done twice").toBeLessThanOrEqual(oneByOne);
    await expectAll(world, ids);
    expect(await shapeOf(world, ALICE)).toEqual(await shapeOf(world, BOB));
  });

  test("[B.0.9-17] a question is answered at whatever moment of it a hit is deleted", async () => {
    await rememberMany(ALICE, NOTES.length);
    const [strategy] = world.strategies;
    if (strategy === undefined) throw new Error("a service looks in some way");
    await atEveryMoment(async (meanwhile) => {
      const hit = await world.service.insert(ALICE, entryOf(0));
      const asked = world.ask(ALICE, 0, strategy, true);
      await meanwhile(asked, () => world.service.delete(ALICE, hit));
      expect(await world.ask(ALICE, 0, strategy)).not.toContain(hit);
    });
  });

  const isQueue = traits.abilities.includes("queue");
  test.runIf(isQueue)(
    "[S0-61] an insert succeeds at whatever moment of it what it pushes out is deleted",
    async () => {
      const ids = new Set(await rememberMany(ALICE, MANY));
      await atEveryMoment(async (meanwhile) => {
        const oldest = await oldestIn(world);
        const inserting = world.service.insert(ALICE, entryOf(0));
        await meanwhile(inserting, () => world.service.delete(ALICE, oldest));
        ids.add(await inserting).delete(oldest);
      });
      await expectAll(world, [...ids]);
      expect((await shapeOf(world, ALICE)).beyond).toEqual({});
    },
  );

  test("[S0-61] two managers over one storage, as in two processes, lose nothing of each other's", async () => {
    const other = await world.another();
    const both = [world.service, other];
    const ids = await Promise.all(
      Array.from({ length: MANY }, (_, n) => both[n % 2]?.insert(ALICE, entryOf(n))),
    );
    await expectAll(
      world,
      ids.filter((id) => id !== undefined),
    );
    // Each sees what the other has done, and one more insert puts in order what the two did to each other.
    for (const [n, service] of both.entries()) {
      const last = await service.insert(ALICE, entryOf(n));
      for (const one of both) {
        for (const strategy of world.strategies) {
          const hits = await one.retrieve(ALICE, { ...world.questionFor(n, strategy), touch: false });
          expect(
            hits.map(({ id }) => id),
            `by ${strategy}`,
          ).toContain(last);
        }
      }
    }
    expect((await shapeOf(world, ALICE)).beyond).toEqual({});
  });
}

/** All are there, and found unless they had to be archived. */
async function expectAll(world: ServiceWorld, ids: readonly EntryId[]): Promise<void> {
  expect(new Set(ids).size).toBe(ids.length);
  const all = await world.everything(ALICE);
  expect(ids.filter((id) => !all.has(id))).toEqual([]);
  const recalled = ids.filter((id) => all.get(id)?.tier !== ARCHIVED);
  for (const strategy of world.strategies) {
    for (const n of NOTES.keys()) {
      const same = recalled.filter((id) => all.get(id)?.content === noteOf(n));
      if (same.length === 0) continue;
      const found = await world.ask(ALICE, n, strategy);
      expect(
        same.filter((id) => !found.includes(id)),
        `note ${n} by ${strategy}`,
      ).toEqual([]);
    }
  }
}

type Meanwhile = (long: Promise<unknown>, short: () => Promise<unknown>) => Promise<void>;

/** Does something short at one moment of something long, in every round at a later one, until the long comes first. */
async function atEveryMoment(round: (meanwhile: Meanwhile) => Promise<void>): Promise<void> {
  for (let moment = 0, isOver = false; !isOver; moment += STRIDE) {
    await round(async (long, short) => {
      const end = () => {
        isOver = true;
      };
      long.then(end, end);
      for (let step = 0; step < moment; step++) await undefined;
      const came = isOver;
      await short();
      await long;
      isOver = came;
    });
  }
}

/** What the next insert pushes out of the first queue. */
async function oldestIn(world: ServiceWorld): Promise<EntryId> {
  const queue = (await world.store.listIndexes()).find(({ kind }) => kind === "fifo");
  if (queue === undefined) throw new Error("a service with a queue has an index for it");
  const request = { index: queue.name, params: { mode: "oldest" }, topK: 1 };
  const [oldest] = await world.store.retrieve(ALICE, request);
  if (oldest === undefined) throw new Error("something is in the queue");
  return oldest.id;
}

/** What does not depend on the order of arrival. */
async function shapeOf(world: ServiceWorld, scope: Scope) {
  const { entries, indexes, edges, pendingItems } = await world.state(scope);
  const beyond: Record<string, number> = {};
  for (const { name, kind } of await world.store.listIndexes()) {
    if (kind !== "fifo") continue;
    const params = { mode: "overflow" };
    const hits = await world.store.retrieve(scope, { index: name, params, topK: 1000, superseded: true });
    if (hits.length > 0) beyond[name] = hits.length;
  }
  return {
    /** In a queue that has no room for them. */
    beyond,
    tiers: countBy(entries.values(), ({ kind, tier }) => `${kind} in ${tier}`),
    indexes: countBy([...indexes.values()].flat(), (name) => name),
    edges: countBy(edges, ({ type }) => type),
    pending: countBy(pendingItems, ({ action }) => action),
  };
}

function countBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Record<string, number> {
  const groups = Map.groupBy(items, keyOf);
  return Object.fromEntries(Array.from(groups, ([key, { length }]) => [key, length]));
}
