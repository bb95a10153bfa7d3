/** The part of the storage suite that is about the way back: what belongs together, undoing it, and undoing that. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeEdge } from "../base/edge.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import type { EntryState } from "../storage/entry-state.ts";
import type { Write } from "../storage/storage.ts";
import { ALICE, BOB, CAUSE, NOON, type StorageWorld } from "./storage-world.ts";

export function undoLaws(world: StorageWorld): void {
  const insert = world.insert.bind(world);
  const commit = (scope: Scope, ...writes: Write[]) => world.storage.commit(scope, writes, CAUSE);
  const edge = (scope: Scope, from: EntryId, to: EntryId, weight = 1): Write => ({
    op: "edge-put",
    edge: makeEdge({ from, to, type: "causal", weight }, scope, NOON),
  });
  /** All that there is, without the moment of the last change. */
  const whole = async (scope: Scope): Promise<EntryState[]> => {
    const states = await world.storage.states(scope, { collection: "notes", limit: 1000 });
    return states.map((state) => ({ ...state, entry: { ...state.entry, updatedAt: 0 } }));
  };
  const eventsSince = (scope: Scope, after: number) => world.storage.events(scope, { after, limit: 1000 });
  const head = async () => (await world.storage.feed.head()).seq;
  /** Everything since then, newest first, in one commit. */
  const undoSince = async (scope: Scope, after: number): Promise<void> => {
    const events = await eventsSince(scope, after);
    const own = events.filter((event) => event.scope === scope).reverse();
    await commit(scope, ...own.map(({ seq }): Write => ({ op: "event-undo", seq })));
  };

  test("events of one commit say that they belong together", async () => {
    const [a, b] = [await insert(ALICE, { content: "a" }), await insert(ALICE, { content: "b" })];
    await commit(ALICE, edge(ALICE, a.id, b.id), { op: "entry-update", id: b.id, fields: { kind: "fact" } });
    const [first, second, third, fourth] = await eventsSince(ALICE, 0);
    expect([first?.change, second?.change]).toEqual([first?.seq, second?.seq]);
    expect([third?.change, fourth?.change]).toEqual([third?.seq, third?.seq]);
    expect(fourth?.undoes).toBeNull();
  });

  test("an undo brings everything back as it was, bit for bit; undoing it does the change again", async () => {
    const queue = await world.storage.putIndex("notes", { name: "q", kind: "fifo", options: {} });
    const other = await world.storage.putIndex("notes", { name: "p", kind: "fifo", options: {} });
    const vector = (value: number) => ({ space: "s", values: Float32Array.of(value, -1) });
    const [a, b] = [
      await insert(ALICE, { content: "住在里斯本", tags: ["home", "家"] }, [vector(1)], [queue.number]),
      await insert(ALICE, { content: "lives in Porto", tags: ["home"] }, [], [queue.number]),
    ];
    const shared = await insert(PUBLIC, { content: "public" });
    await commit(ALICE, edge(ALICE, a.id, b.id, 2), edge(ALICE, b.id, a.id), edge(ALICE, a.id, shared.id));
    await commit(ALICE, { op: "entry-update", id: a.id, fields: { supersededBy: b.id } });
    const before = await whole(ALICE);
    const seq = await head();

    const c = world.entryOf(ALICE, { content: "new" });
    await commit(
      ALICE,
      { op: "entry-insert", entry: c, vectors: [vector(7)], indexes: [queue.number, other.number] },
      edge(ALICE, c.id, a.id),
      edge(ALICE, a.id, c.id),
      edge(ALICE, a.id, b.id, 9),
      { op: "entry-update", id: b.id, fields: { content: "lives in Faro", tags: ["x"], supersededBy: c.id } },
      { op: "vector-put", id: a.id, vector: vector(3) },
      { op: "vector-put", id: b.id, vector: vector(4) },
      { op: "index-join", id: b.id, index: other.number },
      { op: "index-join", id: a.id, index: queue.number },
      { op: "index-leave", id: b.id, index: "all" },
      { op: "edge-remove", edge: { from: b.id, to: a.id, type: "causal" } },
      { op: "entry-touch", id: a.id, touch: { addAccess: 2, addStrength: 3, lastAccessAt: NOON + 5 } },
      { op: "entry-remove", id: b.id },
    );
    const after = await whole(ALICE);
    const changed = await head();
    await undoSince(ALICE, seq);
    expect(await whole(ALICE)).toEqual(before);
    await undoSince(ALICE, changed);
    expect(await whole(ALICE)).toEqual(after);
  });

  test("any commits, undone newest first, leave what was there before them", async () => {
    const index = await world.storage.putIndex("notes", { name: "q", kind: "fifo", options: {} });
    const step = fc.record({
      op: fc.constantFrom(
        "insert",
        "update",
        "supersede",
        "touch",
        "remove",
        "vector",
        "join",
        "leave",
        "link",
        "unlink",
      ),
      one: fc.nat(7),
      two: fc.nat(7),
      value: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(25), async (steps, split) => {
        const ids: EntryId[] = [];
        const run = async ({ op, one, two, value }: (typeof steps)[number]): Promise<void> => {
          const [id, to] = [ids[one % ids.length], ids[two % ids.length]];
          if (op === "insert" || id === undefined || to === undefined) {
            ids.push(
              (await insert(ALICE, { content: `${value}`, tags: [`t${two}`] }, [], [index.number])).id,
            );
            return;
          }
          const key = { from: id, to, type: "causal" };
          const writes: Record<typeof op, Write> = {
            update: {
              op: "entry-update",
              id,
              fields: { content: `${value}`, tags: [`u${two}`] },
              contentHash: `${value}`,
            },
            supersede: { op: "entry-update", id, fields: { supersededBy: to } },
            touch: { op: "entry-touch", id, touch: { addAccess: value, energyAnchor: { value, at: NOON } } },
            remove: { op: "entry-remove", id },
            vector: { op: "vector-put", id, vector: { space: "s", values: Float32Array.of(value) } },
            join: { op: "index-join", id, index: index.number },
            leave: { op: "index-leave", id, index: index.number },
            link: { op: "edge-put", edge: makeEdge({ ...key, weight: value }, ALICE, NOON) },
            unlink: { op: "edge-remove", edge: key },
          };
          // What cannot be, as a circle of successions, is refused and changes nothing.
          await commit(ALICE, writes[op]).catch((error: { code: string }) =>
            expect(error.code).toMatch(/^(input_invalid|entry_)/),
          );
        };
        for (const one of steps.slice(0, split)) await run(one);
        const before = await whole(ALICE);
        const seq = await head();
        for (const one of steps.slice(split)) await run(one);
        const after = await whole(ALICE);
        const changed = await head();
        // Commit by commit, as a user would.
        const changes = Map.groupBy(await eventsSince(ALICE, seq), ({ change }) => change);
        for (const events of [...changes.values()].reverse())
          await commit(
            ALICE,
            ...events.reverse().map((event): Write => ({ op: "event-undo", seq: event.seq })),
          );
        expect(await whole(ALICE)).toEqual(before);
        await undoSince(ALICE, changed);
        expect(await whole(ALICE)).toEqual(after);
        const left = await world.storage.find(ALICE, "notes", undefined, true);
        await commit(ALICE, ...[...left].map((id): Write => ({ op: "entry-erase", id })));
      }),
      { numRuns: 40 },
    );
  });

  test("what something newer stands on is not undone: the error names it, and undoing that clears the way", async () => {
    const a = await insert(ALICE, { content: "a" });
    const b = await insert(ALICE, { content: "b" });
    const [first, second] = await eventsSince(ALICE, 0);
    const inserted = first?.seq ?? 0;
    const undoing = (seq: number): Write => ({ op: "event-undo", seq });
    const newer = async (seq: number): Promise<unknown> =>
      commit(ALICE, undoing(seq)).then(
        () => [],
        (error: { code: string; details: { events: unknown } }) => {
          expect(error.code).toBe("version_conflict");
          return error.details.events;
        },
      );
    const changed = (await commit(ALICE, { op: "entry-update", id: a.id, fields: { kind: "x" } })).seq;
    const linked = (await commit(ALICE, edge(ALICE, b.id, a.id))).seq;
    const replaced = (await commit(ALICE, { op: "entry-update", id: b.id, fields: { supersededBy: a.id } }))
      .seq;
    await commit(ALICE, { op: "entry-touch", id: a.id, touch: { addAccess: 1 } });
    expect(await newer(inserted)).toEqual([changed]);
    const undone = await commit(ALICE, undoing(changed));
    expect(await newer(changed)).toEqual([undone.seq]);
    expect(await newer(inserted)).toEqual([replaced, linked]);
    await commit(ALICE, undoing(replaced), undoing(linked));
    expect(await newer(inserted)).toEqual([]);
    expect(await world.get(ALICE, a.id)).toBeUndefined();
    expect(await newer(second?.seq ?? 0)).toEqual([]);
    expect(await whole(ALICE)).toEqual([]);
  });

  test("looks do not stand in the way, and what later looks counted stays", async () => {
    const a = await insert(ALICE, { content: "a" });
    const look: Write = {
      op: "entry-touch",
      id: a.id,
      touch: { addAccess: 1, addStrength: 2, lastAccessAt: NOON + 1 },
    };
    const { seq } = await commit(ALICE, look);
    await commit(ALICE, { ...look, touch: { addAccess: 1, lastAccessAt: NOON + 2 } });
    await commit(ALICE, { op: "event-undo", seq });
    expect(await world.get(ALICE, a.id)).toMatchObject({
      accessCount: 1,
      strength: 0,
      lastAccessAt: NOON + 2,
    });
  });

  test("what was erased cannot come back, and another's events are as good as not there", async () => {
    const a = await insert(ALICE, { content: "secret" });
    const { seq } = await commit(ALICE, { op: "entry-update", id: a.id, fields: { content: "密码" } });
    await world.refuses("entry_not_found", BOB, [{ op: "event-undo", seq }]);
    await world.refuses("entry_not_found", ALICE, [{ op: "event-undo", seq: seq + 1000 }]);
    await commit(ALICE, { op: "entry-erase", id: a.id });
    const events = await eventsSince(ALICE, 0);
    expect(events).toHaveLength(3);
    for (const event of events)
      await world.refuses("entry_not_found", ALICE, [{ op: "event-undo", seq: event.seq }]);
  });

  test("a yielding undo leaves what something newer stands on, except an entry", async () => {
    const a = await insert(ALICE, { content: "a", kind: "old" });
    const seq = await head();
    const b = await insert(ALICE, { content: "b" });
    await commit(ALICE, { op: "entry-update", id: a.id, fields: { content: "window", kind: "new" } });
    const mine = (await eventsSince(ALICE, seq)).map((event) => event.seq).reverse();
    await commit(ALICE, { op: "entry-update", id: a.id, fields: { content: "mine" } });
    await commit(ALICE, edge(ALICE, a.id, b.id));
    await commit(ALICE, ...mine.map((one): Write => ({ op: "event-undo", seq: one, yielding: true })));
    expect(await world.get(ALICE, b.id)).toBeUndefined();
    expect(await world.get(ALICE, a.id)).toMatchObject({ content: "mine", kind: "new" });
  });
}
