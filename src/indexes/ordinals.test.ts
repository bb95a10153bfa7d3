import fc from "fast-check";
import { expect, test } from "vitest";
import { type EntryId, parseEntryId } from "../base/ids.ts";
import { PUBLIC, type Scope } from "../base/scope.ts";
import { SAMPLE_SCOPES, sampleId } from "../testing/sample.ts";
import { Ordinals } from "./ordinals.ts";
import { SnapshotReader, SnapshotWriter } from "./snapshot-bytes.ts";

const steps = fc.array(
  fc.record({ n: fc.nat(200), remove: fc.boolean(), scope: fc.constantFrom(...SAMPLE_SCOPES) }),
  { maxLength: 400 },
);

function reloaded(table: Ordinals): Ordinals {
  const writer = new SnapshotWriter("test", 1);
  table.save(writer);
  const reader = new SnapshotReader(writer.finish(), "test", 1);
  const loaded = Ordinals.load(reader);
  reader.end();
  return loaded;
}

function expectHolds(table: Ordinals, model: ReadonlyMap<EntryId, Scope>): void {
  expect(table.size).toBe(model.size);
  const ordinals = new Set<number>();
  for (const [id, scope] of model) {
    const ordinal = table.ordinalOf(id);
    ordinals.add(ordinal);
    expect(table.idAt(ordinal)).toBe(id);
    expect(table.scopeName(table.scopeAt(ordinal))).toBe(scope);
    expect(table.scopeNumber(scope)).toBe(table.scopeAt(ordinal));
  }
  expect(ordinals.size).toBe(model.size);
  for (let n = 0; n <= 200; n++) if (!model.has(sampleId(n))) expect(table.ordinalOf(sampleId(n))).toBe(-1);
  for (let ordinal = 0; ordinal < table.end; ordinal++) {
    expect(table.scopeAt(ordinal) >= 0).toBe(ordinals.has(ordinal));
  }
}

test("any history of adding and removing agrees with a plain Map, before and after save and load", () => {
  fc.assert(
    fc.property(steps, (history) => {
      const table = new Ordinals();
      const model = new Map<EntryId, Scope>();
      for (const { n, remove, scope } of history) {
        const id = sampleId(n);
        expect(table.remove(id) >= 0).toBe(model.delete(id));
        if (remove) continue;
        table.add(id, scope);
        model.set(id, scope);
      }
      expectHolds(table, model);
      expectHolds(reloaded(table), model);
      for (const id of model.keys()) expect(reloaded(table).ordinalOf(id)).toBe(table.ordinalOf(id));
    }),
    { numRuns: 50 },
  );
});

test("ordinals are compared as their ids are", () => {
  const table = new Ordinals();
  const ids = Array.from({ length: 50 }, (_, n) => sampleId(n));
  for (const id of ids) table.add(id, PUBLIC);
  for (const a of ids) {
    for (const b of ids) {
      const expected = a < b ? -1 : a > b ? 1 : 0;
      expect(Math.sign(table.compare(table.ordinalOf(a), table.ordinalOf(b)))).toBe(expected);
    }
  }
});

test("a removed id's ordinal is given out again, so arrays by ordinal do not grow", () => {
  const table = new Ordinals();
  for (let n = 0; n < 10; n++) table.add(sampleId(n), PUBLIC);
  for (let n = 10; n < 1000; n++) {
    table.remove(sampleId(n - 10));
    table.add(sampleId(n), PUBLIC);
  }
  expect(table.end).toBe(10);
});

test("what is not a lower-case UUID is never here, and cannot be added", () => {
  const table = new Ordinals();
  const id = sampleId(7);
  table.add(id, PUBLIC);
  for (const wrong of ["", id.toUpperCase(), id.replace("-", "0"), `${id} `, `${id.slice(0, 35)}é`]) {
    const unchecked: EntryId = JSON.parse(JSON.stringify(wrong));
    expect(table.ordinalOf(unchecked)).toBe(-1);
    expect(table.remove(unchecked)).toBe(-1);
    expect(() => table.add(unchecked, PUBLIC)).toThrow(expect.objectContaining({ code: "input_invalid" }));
  }
  expect(() => table.add(id, PUBLIC)).toThrow(expect.objectContaining({ code: "invariant" }));
  expect(table.size).toBe(1);
});

test("a snapshot with an unknown scope or one id twice is refused", () => {
  const load = (
    scopes: readonly string[],
    numbers: readonly number[],
    words: readonly number[],
  ): Ordinals => {
    const writer = new SnapshotWriter("test", 1);
    writer.texts(scopes).int32(Int32Array.from(numbers)).uint32(Uint32Array.from(words));
    return Ordinals.load(new SnapshotReader(writer.finish(), "test", 1));
  };
  const id = [1, 0x7000, 0x80000000, 1];
  expect(load(["public"], [0], id).idAt(0)).toBe(parseEntryId("00000001-0000-7000-8000-000000000001"));
  const corrupt = expect.objectContaining({ code: "storage_corrupt" });
  expect(() => load(["public"], [1], id)).toThrow(corrupt);
  expect(() => load(["no scope"], [0], id)).toThrow(corrupt);
  expect(() => load(["public"], [0], id.slice(1))).toThrow(corrupt);
  expect(() => load(["public"], [0, 0], [...id, ...id])).toThrow(corrupt);
});
