import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manualClock } from "./clock.ts";
import { MemoryError } from "./errors.ts";
import { createIds, parseEntryId, parseTurnId } from "./ids.ts";
import { seededRandom } from "./random.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("[C-20] ids are UUIDv7", () => {
  test("in the form of RFC 9562, with the time in front", () => {
    const ids = createIds(manualClock(Date.UTC(2025, 0, 1)), seededRandom(1));
    for (const id of [ids.entry(), ids.turn(), ids.plain()]) {
      expect(id).toMatch(UUID_V7);
      expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(Date.UTC(2025, 0, 1));
    }
  });

  test("one maker's ids always rise, whatever the clock does, and never repeat", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 300 }), fc.nat(), (moves, seed) => {
        const clock = manualClock(1_700_000_000_000);
        const ids = createIds(clock, seededRandom(seed));
        const made = moves.map((ms) => {
          clock.advance(ms);
          return ids.plain();
        });
        expect(made).toEqual([...new Set(made)].sort());
        for (const id of made) expect(id).toMatch(UUID_V7);
      }),
    );
  });

  test("they rise within one millisecond even when chance is at its end", () => {
    const ids = createIds(manualClock(1), { next: () => 1 - 2 ** -32 });
    const made = Array.from({ length: 1000 }, () => ids.plain());
    expect(made).toEqual([...new Set(made)].sort());
  });

  test("a clock between two milliseconds does not spoil the form", () => {
    expect(createIds(manualClock(1_700_000_000_000.25), seededRandom(1)).plain()).toMatch(UUID_V7);
  });

  test("two makers at the same moment do not meet", () => {
    const clock = manualClock(1_700_000_000_000);
    const [a, b] = [createIds(clock), createIds(clock)];
    const made = Array.from({ length: 500 }, () => [a.plain(), b.plain()]).flat();
    expect(new Set(made).size).toBe(1000);
  });
});

test("an id is read back as it was made; anything else is refused", () => {
  const id = createIds().entry();
  expect(parseEntryId(id)).toBe(id);
  expect(parseTurnId(id)).toBe(id);
  for (const wrong of ["", "x", id.toUpperCase(), `${id} `, id.slice(1), `{${id}}`, id.replaceAll("-", "")]) {
    expect(() => parseEntryId(wrong)).toThrowError(MemoryError);
    expect(() => parseTurnId(wrong)).toThrowError(/is not the id of a turn\. Valid: a lower-case UUID\./);
  }
});
