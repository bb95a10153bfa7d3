import fc from "fast-check";
import { expect, test } from "vitest";
import { SnapshotReader, SnapshotWriter } from "./snapshot-bytes.ts";

const corrupt = expect.objectContaining({ code: "storage_corrupt" });

function sample(): Uint8Array {
  return new SnapshotWriter("sample", 3)
    .text("空间")
    .texts(["", "one", "二😀", "\uFEFFmark"])
    .int32(Int32Array.of(-1, 2))
    .number(0.1)
    .bytes([Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(4)])
    .uint32(Uint32Array.of(0xffff_ffff))
    .float32(Float32Array.of(1.5))
    .float64(Float64Array.of(Number.NEGATIVE_INFINITY))
    .finish();
}

function readAll(bytes: Uint8Array): unknown[] {
  const reader = new SnapshotReader(bytes, "sample", 3);
  const all = [
    reader.text(),
    reader.texts(4),
    [...reader.int32()],
    reader.number(),
    [...reader.bytes()],
    [...reader.uint32(1)],
    [...reader.float32()],
    [...reader.float64()],
  ];
  reader.end();
  return all;
}

test("what was written is read again, also from the middle of other bytes", () => {
  const expected = [
    "空间",
    ["", "one", "二😀", "\uFEFFmark"],
    [-1, 2],
    0.1,
    [1, 2, 3, 4],
    [0xffff_ffff],
    [1.5],
    [Number.NEGATIVE_INFINITY],
  ];
  const bytes = sample();
  expect(readAll(bytes)).toEqual(expected);
  const around = new Uint8Array(bytes.length + 9);
  around.set(bytes, 3);
  expect(readAll(around.subarray(3, 3 + bytes.length))).toEqual(expected);
});

test("bytes are read without a copy", () => {
  const snapshot = new SnapshotWriter("a", 1).bytes(Uint8Array.of(5, 6)).finish();
  expect(new SnapshotReader(snapshot, "a", 1).bytes(2).buffer).toBe(snapshot.buffer);
});

test("any single damaged bit and any torn end is refused", () => {
  const bytes = sample();
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      expect(() => readAll(damaged)).toThrow(corrupt);
      expect(() => readAll(bytes.slice(0, at))).toThrow(corrupt);
    }),
  );
  expect(() => readAll(Uint8Array.from([...bytes, 0]))).toThrow(corrupt);
});

test("another kind, another version, other sections and unread sections are refused", () => {
  const bytes = sample();
  expect(() => new SnapshotReader(bytes, "simple", 3)).toThrow(corrupt);
  expect(() => new SnapshotReader(bytes, "sample", 4)).toThrow(corrupt);
  expect(() => new SnapshotReader(bytes, "sample", 3).int32()).toThrow(corrupt);
  expect(() => new SnapshotReader(bytes, "sample", 3).end()).toThrow(corrupt);
  const reader = new SnapshotReader(bytes, "sample", 3);
  reader.text();
  expect(() => reader.texts(3)).toThrow(corrupt);
  const short = new SnapshotReader(new SnapshotWriter("a", 1).finish(), "a", 1);
  expect(() => short.text()).toThrow(corrupt);
});
