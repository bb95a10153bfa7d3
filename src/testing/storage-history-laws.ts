/** The part of the storage suite that is about the log: what an event tells, to whom, and from where on. */
import { expect, test } from "vitest";
import { makeEdge } from "../base/edge.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import { makeTurn } from "../base/turn.ts";
import type { Write } from "../storage/storage.ts";
import { ALICE, BOB, CAUSE, NOON, type StorageWorld } from "./storage-world.ts";

export function historyLaws(world: StorageWorld): void {
  const insert = world.insert.bind(world);
  const commit = (scope: Scope, ...writes: Write[]) => world.storage.commit(scope, writes, CAUSE);
  const putEdge = (scope: Scope, from: EntryId, to: EntryId, type: string, weight = 1): Write => ({
    op: "edge-put",
    edge: makeEdge({ from, to, type, weight }, scope, NOON),
  });

  test("events can be read on from a place", async () => {
    await insert(ALICE, { content: "a" });
    const second = await insert(ALICE, { content: "b" });
    const third = await insert(ALICE, { content: "c" });
    const [first] = await world.storage.events(ALICE, { limit: 1 });
    const later = await world.storage.events(ALICE, { after: first?.seq, limit: 9 });
    expect(later.map((event) => event.subject)).toEqual([second.id, third.id]);
  });

  test("a removal keeps all that is needed to bring the entry back: indexes, edges, vectors", async () => {
    const queue = await world.storage.putIndex("notes", { name: "q", kind: "fifo", options: {} });
    const vector = { space: "s", values: Float32Array.of(1, -2) };
    const gone = await insert(ALICE, { content: "gone" }, [vector], [queue.number]);
    const stays = await insert(ALICE, { content: "stays" });
    await commit(ALICE, putEdge(ALICE, gone.id, stays.id, "causal", 3));
    await commit(ALICE, { op: "entry-remove", id: gone.id });
    const last = (await world.storage.events(ALICE, { subject: gone.id, limit: 9 })).at(-1);
    expect(last).toMatchObject({
      operation: "entry-remove",
      before: {
        entry: { content: "gone" },
        indexes: [queue.number],
        edges: [{ from: gone.id, to: stays.id, type: "causal", weight: 3 }],
        vectors: [{ space: "s" }],
      },
    });
    expect(JSON.stringify(last?.before)).toContain(Buffer.from(vector.values.buffer).toString("base64"));
  });

  test("what is erased leaves no word behind: not in the log, not in the journal, not about its links", async () => {
    const secret = await insert(ALICE, { content: "secret 密码", metadata: { secret: true } });
    const old = await insert(ALICE, { content: "secret and gone" });
    const other = await insert(ALICE, { content: "other" });
    const told: Write = {
      op: "edge-put",
      edge: makeEdge(
        { from: other.id, to: secret.id, type: "relation", weight: 1, provenance: "relation: secret" },
        ALICE,
        NOON,
      ),
    };
    await commit(
      ALICE,
      { op: "entry-update", id: secret.id, fields: { content: "secret, again" }, contentHash: "x" },
      told,
    );
    await commit(ALICE, { op: "entry-remove", id: old.id });
    const turn = makeTurn({ text: "the secret" }, { id: world.ids.turn(), scope: ALICE, recordedAt: NOON });
    const kept = makeTurn({ text: "kept" }, { id: world.ids.turn(), scope: ALICE, recordedAt: NOON });
    await commit(ALICE, { op: "turn-append", turn }, { op: "turn-append", turn: kept });
    await expect(commit(BOB, { op: "entry-erase", id: secret.id })).rejects.toMatchObject({
      code: "entry_not_found",
    });
    await commit(BOB, { op: "turn-erase", id: turn.id });
    expect(await world.storage.turns(ALICE, { limit: 9 })).toHaveLength(2);
    expect([await world.storage.countTurns(ALICE), await world.storage.countTurns(BOB)]).toEqual([2, 0]);
    await commit(
      ALICE,
      { op: "entry-erase", id: secret.id },
      { op: "entry-erase", id: old.id },
      { op: "turn-erase", id: turn.id },
    );
    expect((await world.storage.turns(ALICE, { limit: 9 })).map(({ text }) => text)).toEqual(["kept"]);
    const log = await world.storage.events(ALICE, { limit: 99 });
    expect(JSON.stringify(log)).not.toMatch(/secret|密码/);
    expect(log.filter(({ subject }) => subject === secret.id).at(-1)).toMatchObject({
      operation: "entry-remove",
      before: null,
    });
    expect(await world.get(ALICE, other.id)).toMatchObject({ content: "other" });
  });

  test("vectors that are erased leave no trace: of a space, of what is there and of what had gone", async () => {
    const inSpace = (space: string, ...values: number[]) => ({ space, values: Float32Array.of(...values) });
    const index = { name: "near", kind: "vector_flat", options: { space: "s", dimension: 2 } };
    const near = await world.storage.putIndex("notes", index);
    const both = [inSpace("s", 1, -2), inSpace("t", 3, 4)];
    const stays = await insert(ALICE, { content: "stays" }, both, [near.number]);
    const gone = await insert(ALICE, { content: "gone" }, both, [near.number]);
    await commit(ALICE, { op: "vector-put", id: stays.id, vector: inSpace("s", 5, 6) });
    await commit(ALICE, { op: "entry-remove", id: gone.id });
    await expect(commit(BOB, { op: "vector-erase", id: stays.id, spaces: ["s"] })).rejects.toMatchObject({
      code: "entry_not_found",
    });
    const erase = [stays, gone].map(({ id }): Write => ({ op: "vector-erase", id, spaces: ["s"] }));
    await commit(ALICE, ...erase);
    const members = () => {
      const needs = { fields: [], space: "s", edges: false };
      return world.storage.feed.members("notes", near.number, needs, undefined, 9);
    };
    expect(await world.storage.vectors(ALICE, "s", [stays.id])).toEqual([undefined]);
    expect(await world.storage.vectors(ALICE, "t", [stays.id])).toEqual([Float32Array.of(3, 4)]);
    expect(await members()).toEqual([]);
    const log = await world.storage.events(ALICE, { limit: 99 });
    const told = JSON.stringify(log);
    for (const values of [
      [1, -2],
      [5, 6],
    ])
      expect(told).not.toContain(Buffer.from(Float32Array.of(...values).buffer).toString("base64"));
    const bare = { operation: "vector-remove", changed: ["vector:s"], before: null };
    expect(log.at(-1)).toMatchObject({ subject: stays.id, ...bare });
    // What had gone comes back without it; a new one makes both members again.
    const removal = log.find(({ operation }) => operation === "entry-remove");
    await commit(ALICE, { op: "event-undo", seq: removal?.seq ?? 0 });
    expect(await world.storage.vectors(ALICE, "s", [gone.id])).toEqual([undefined]);
    expect(await world.storage.vectors(ALICE, "t", [gone.id])).toEqual([Float32Array.of(3, 4)]);
    const puts = [stays, gone].map(({ id }): Write => ({ op: "vector-put", id, vector: inSpace("s", 7, 8) }));
    await commit(ALICE, ...puts);
    expect(await members()).toHaveLength(2);
    await expect(commit(ALICE, { op: "event-undo", seq: log.at(-1)?.seq ?? 0 })).rejects.toMatchObject({
      code: "entry_not_found",
    });
  });

  test("a new vector and a changed edge leave what was there before", async () => {
    const vector = (value: number) => ({ space: "s", values: Float32Array.of(value) });
    const a = await insert(ALICE, { content: "a" }, [vector(1)]);
    const b = await insert(ALICE, { content: "b" });
    await commit(
      ALICE,
      { op: "vector-put", id: a.id, vector: vector(2) },
      putEdge(ALICE, a.id, b.id, "causal", 1),
      putEdge(ALICE, a.id, b.id, "causal", 4),
    );
    const [, vectorPut, firstEdge, secondEdge] = await world.storage.events(ALICE, {
      subject: a.id,
      limit: 9,
    });
    expect(vectorPut).toMatchObject({ operation: "vector-put", changed: ["vector:s"] });
    expect(JSON.stringify(vectorPut?.before)).toContain(
      Buffer.from(Float32Array.of(1).buffer).toString("base64"),
    );
    expect(firstEdge).toMatchObject({ operation: "edge-put", before: null, after: { weight: 1 } });
    expect(secondEdge).toMatchObject({ before: { weight: 1 }, after: { weight: 4 } });
  });

  test("[C-31] an edge has a scope of its own, also in the history of a public entry", async () => {
    const [a, b] = [await insert(PUBLIC, { content: "a" }), await insert(PUBLIC, { content: "b" })];
    await commit(PUBLIC, putEdge(PUBLIC, a.id, b.id, "semantic"));
    await commit(ALICE, putEdge(ALICE, a.id, b.id, "secret"), putEdge(ALICE, b.id, a.id, "secret"));
    const typesSeenBy = async (scope: Scope) =>
      (await world.storage.edges(scope, "notes", [a.id])).map((edge) => edge.type).sort();
    expect(await typesSeenBy(ALICE)).toEqual(["secret", "secret", "semantic"]);
    expect(await typesSeenBy(BOB)).toEqual(["semantic"]);
    expect(await typesSeenBy(PUBLIC)).toEqual(["semantic"]);
    await world.refuses("scope_forbidden", BOB, [putEdge(PUBLIC, a.id, b.id, "forged")]);

    await commit(PUBLIC, { op: "entry-remove", id: a.id });
    for (const scope of [PUBLIC, BOB])
      expect(JSON.stringify(await world.storage.events(scope, { limit: 99 }))).not.toContain("secret");
    const [removal] = (await world.storage.events(BOB, { subject: a.id, limit: 99 })).slice(-1);
    expect(removal).toMatchObject({ operation: "entry-remove", before: { edges: [{ type: "semantic" }] } });
    const told = (await world.storage.events(ALICE, { limit: 99 })).filter(
      ({ operation, scope }) => operation === "edge-remove" && scope === ALICE,
    );
    expect(told.map(({ subject, before }) => [subject, before?.type])).toEqual(
      expect.arrayContaining([
        [a.id, "secret"],
        [b.id, "secret"],
      ]),
    );
  });
}
