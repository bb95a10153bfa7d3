import { expect, test } from "vitest";
import { SnapshotReader, SnapshotWriter } from "../snapshot-bytes.ts";
import { SaidAround } from "./said-around.ts";

const byNumber = (a: number, b: number): number => a - b;

/** What follows the first, one after the other, and the same read from the end. */
function chain(links: SaidAround, first: number): number[] {
  const forward: number[] = [];
  for (let at = first; at >= 0; at = links.after[at] as number) forward.push(at);
  const back: number[] = [];
  for (let at = forward.at(-1) ?? -1; at >= 0; at = links.before[at] as number) back.push(at);
  expect(back).toEqual([...forward].reverse());
  return forward;
}

function saved(links: SaidAround, end: number): Uint8Array {
  const writer = new SnapshotWriter("test", 1);
  links.save(writer, end);
  return writer.finish();
}

function loaded(bytes: Uint8Array, end: number): SaidAround {
  const reader = new SnapshotReader(bytes, "test", 1);
  const links = SaidAround.load(reader, end, byNumber);
  reader.end();
  return links;
}

test("texts of a session stand in order, whatever the order in which they came", () => {
  const links = new SaidAround(byNumber);
  for (const ordinal of [4, 0, 8, 2, 6]) links.add(ordinal, "周一");
  links.add(3, "tuesday");
  links.add(5, undefined);
  expect(chain(links, 0)).toEqual([0, 2, 4, 6, 8]);
  expect(chain(links, 3)).toEqual([3]);
  links.remove(4);
  links.remove(8);
  links.remove(5);
  expect(chain(links, 0)).toEqual([0, 2, 6]);
  links.add(7, "周一");
  links.remove(0);
  expect(chain(links, 2)).toEqual([2, 6, 7]);
});

test("one that comes last, and one that goes from anywhere, looks at no other than its neighbours", () => {
  let looks = 0;
  const links = new SaidAround((a, b) => {
    looks++;
    return a - b;
  });
  for (let ordinal = 0; ordinal < 5000; ordinal++) links.add(ordinal, "s");
  for (let ordinal = 1000; ordinal < 2000; ordinal++) links.remove(ordinal);
  expect(looks).toBeLessThanOrEqual(5000);
  expect(chain(links, 0).slice(998, 1001)).toEqual([998, 999, 2000]);
});

test("a removed text leaves no link behind, in a snapshot neither", () => {
  const links = new SaidAround((a, b) => b - a);
  for (const ordinal of [3, 2, 1, 0]) links.add(ordinal, "s");
  links.remove(2);
  const again = loaded(saved(links, 4), 4);
  expect(chain(again, 3)).toEqual([3, 1, 0]);
  links.add(2, undefined);
  expect([links.before[2], links.after[2]]).toEqual([-1, -1]);
});

test("a session without texts is forgotten, its name and its bytes too", () => {
  const links = new SaidAround(byNumber);
  links.add(0, "kept");
  const bytes = links.bytes;
  links.add(1, "a secret session");
  expect(links.bytes).toBeGreaterThan(bytes + "a secret session".length);
  links.remove(1);
  expect(links.bytes).toBe(bytes);
  expect(Buffer.from(saved(links, 2)).includes("secret")).toBe(false);
  const again = loaded(saved(links, 2), 2);
  again.add(1, "another");
  again.add(2, "kept");
  expect(chain(again, 0)).toEqual([0, 2]);
  expect(chain(again, 1)).toEqual([1]);
});

test("links that cannot have been saved are refused", () => {
  const corrupt = expect.objectContaining({ code: "storage_corrupt" });
  const written = (sessions: number[], before: number[]): Uint8Array =>
    new SnapshotWriter("test", 1)
      .texts(["s"])
      .int32(Int32Array.from(sessions))
      .int32(Int32Array.from(before))
      .finish();
  expect(chain(loaded(written([0, 0], [-1, 0]), 2), 0)).toEqual([0, 1]);
  for (const [sessions, before] of [
    [
      [0, 1],
      [-1, 0],
    ],
    [
      [0, -2],
      [-1, 0],
    ],
    [
      [0, 0],
      [-1, 2],
    ],
    [
      [0, 0],
      [-2, 0],
    ],
    [[0], [-1]],
  ] as const) {
    expect(() => loaded(written([...sessions], [...before]), 2)).toThrow(corrupt);
  }
});
