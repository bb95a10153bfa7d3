import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ebbinghausStrength,
  exponentialDecayPerHour,
  hyperbolicDecayPerDay,
  memoryBankRetention,
  recencyByRank,
  recencyByTimeConstant,
  recencyPerHour,
  seedHeat,
  segmentHeat,
  serviceHeat,
  serviceRetention,
  timeWeightPerHour,
} from "./decay.ts";

describe("BIEM energy", () => {
  test("[S4-11, C-2] 0.1 per hour halves in 6.93 hours", () => {
    expect(exponentialDecayPerHour(0.8, 0, 0.1)).toBe(0.8);
    expect(exponentialDecayPerHour(1, Math.LN2 / 0.1, 0.1)).toBeCloseTo(0.5, 12);
    expect(exponentialDecayPerHour(0.6, 10, 0.1)).toBeCloseTo(0.6 / Math.E, 12);
  });

  test("from the anchor, two steps are one: nothing decays twice", () => {
    const hours = fc.double({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(hours, hours, (first, second) => {
        const stepwise = exponentialDecayPerHour(exponentialDecayPerHour(1, first, 0.1), second, 0.1);
        expect(stepwise).toBeCloseTo(exponentialDecayPerHour(1, first + second, 0.1), 12);
      }),
    );
  });
});

describe("Ebbinghaus strength", () => {
  const strength = (hoursSinceAccess: number, accessCount: number) =>
    ebbinghausStrength({
      hoursSinceAccess,
      accessCount,
      initialStrength: 0.8,
      decayPerHour: 0.1,
      reinforcement: 0.2,
    });

  test("[S1-12] 0.8·e^(−0.1·hours) + 0.2·ln(accesses + 1), at most 1", () => {
    expect(strength(0, 0)).toBe(0.8);
    expect(strength(5, 3)).toBeCloseTo(0.8 * Math.exp(-0.5) + 0.2 * Math.log(4), 12);
    expect(strength(0, 100)).toBe(1);
  });

  test("[C-3] the logarithm of the count, not the count", () => {
    expect(strength(1000, 1)).toBeCloseTo(0.2 * Math.LN2, 12);
  });

  test.each([
    [0, 9.8],
    [1, 16.0],
    [2, 23.0],
    [3, 35.6],
  ])("[S1-12] with %i accesses the line of 0.3 is crossed after %f hours", (accesses, hours) => {
    expect(strength(hours - 0.1, accesses)).toBeGreaterThan(0.3);
    expect(strength(hours + 0.1, accesses)).toBeLessThan(0.3);
  });

  test("[S1-12] with 4 accesses it is never crossed", () => {
    expect(strength(1e9, 4)).toBeGreaterThan(0.3);
  });
});

describe("seed heat", () => {
  const heat = (accessCount: number, ageHours: number, hoursSinceAccess: number) =>
    seedHeat({ accessCount, ageHours, hoursSinceAccess, decayPerHour: 0.05 });

  test("[S1-17] half frequency, half recency", () => {
    expect(heat(0, 0, 0)).toBe(0.5);
    expect(heat(2, 1, 0)).toBeCloseTo(0.1 + 0.5, 12);
    expect(heat(1000, 0, 0)).toBe(1);
    expect(heat(3, 5, 2)).toBeCloseTo(3 / 6 / 10 + 0.5 * Math.exp(-0.1), 12);
  });

  test("[S1-17] an untouched item reaches the cold line of 0.3 after 10.2 hours", () => {
    expect(heat(0, 10.1, 10.1)).toBeGreaterThan(0.3);
    expect(heat(0, 10.3, 10.3)).toBeLessThan(0.3);
  });

  test("[S1-17] hot needs more than 3 accesses per hour of age, and a fresh one", () => {
    expect(heat(3, 0, 0)).toBeCloseTo(0.8, 12);
    expect(heat(4, 0, 0)).toBeGreaterThan(0.8);
    expect(heat(30, 23, 0)).toBeLessThan(0.8);
  });
});

describe("MemoryBank retention", () => {
  test("[P4-1][P4-2] three forms, and never forgotten on the same day", () => {
    expect(memoryBankRetention(5, 1, "intended")).toBeCloseTo(0.3679, 4);
    expect(memoryBankRetention(5, 2, "intended")).toBeCloseTo(0.6065, 4);
    expect(memoryBankRetention(5, 2, "released")).toBeCloseTo(0.1353, 4);
    expect(memoryBankRetention(1, 1, "paper")).toBeCloseTo(0.3679, 4);
    for (const form of ["paper", "intended", "released"] as const) {
      expect(memoryBankRetention(0, 3, form)).toBe(1);
    }
  });

  test("strength keeps a memory in the paper's and the intended form, and costs it in the released one", () => {
    for (const form of ["paper", "intended"] as const) {
      expect(memoryBankRetention(3, 4, form)).toBeGreaterThan(memoryBankRetention(3, 2, form));
    }
    expect(memoryBankRetention(3, 4, "released")).toBeLessThan(memoryBankRetention(3, 2, "released"));
  });

  test("the service's retention: strength 1, and half as much again per review", () => {
    expect(serviceRetention(1, 0, 0.5)).toBeCloseTo(Math.exp(-1), 12);
    expect(serviceRetention(3, 4, 0.5)).toBeCloseTo(Math.exp(-1), 12);
    expect(serviceRetention(1.2, 0, 0.5)).toBeGreaterThan(0.3);
    expect(serviceRetention(1.21, 0, 0.5)).toBeLessThan(0.3);
  });
});

describe("MemoryOS", () => {
  const even = { visits: 1, interactions: 1, recency: 1 };

  test("[P6-2] recency: e⁻¹ after 1e7 seconds (paper) or 24 hours (released package)", () => {
    expect(recencyByTimeConstant(1e7, 1e7)).toBeCloseTo(Math.exp(-1), 12);
    expect(recencyByTimeConstant(24 * 3600, 24 * 3600)).toBeCloseTo(Math.exp(-1), 12);
  });

  test("[P6-1][P6-4] a new segment of 4 pages has heat 5; after the profile update only recency is left", () => {
    expect(segmentHeat({ visits: 0, interactions: 4, recency: 1, weights: even })).toBe(5);
    expect(segmentHeat({ visits: 0, interactions: 0, recency: 0.9, weights: even })).toBe(0.9);
    const evaluation = { visits: 0.8, interactions: 0.8, recency: 0.0001 };
    expect(segmentHeat({ visits: 2, interactions: 3, recency: 1, weights: evaluation })).toBeCloseTo(
      4.0001,
      12,
    );
  });

  test("the service's heat: visits full at 10, depth at 5, 0.95 per day", () => {
    expect(serviceHeat({ visits: 10, depth: 5, daysSinceVisit: 0 })).toBeCloseTo(1, 12);
    expect(serviceHeat({ visits: 50, depth: 50, daysSinceVisit: 0 })).toBeCloseTo(1, 12);
    expect(serviceHeat({ visits: 5, depth: 1, daysSinceVisit: 2 })).toBeCloseTo(
      0.2 + 0.06 + 0.3 * 0.9025,
      12,
    );
  });
});

describe("recency factors", () => {
  test("Generative Agents: 0.995 per hour in the paper, by inverted rank as released", () => {
    expect(recencyPerHour(0, 0.995)).toBe(1);
    expect(recencyPerHour(24, 0.995)).toBeCloseTo(0.8867, 4);
    expect(recencyByRank(1, 0.99)).toBe(0.99);
    expect(recencyByRank(2, 0.99)).toBeLessThan(recencyByRank(1, 0.99));
  });

  test("[P10-3] LD-Agent: e⁻¹ after 1e7 seconds", () => {
    expect(recencyByTimeConstant(1e7, 1e7)).toBeCloseTo(0.3679, 4);
  });

  test("time_weighted: (1 − rate) per hour", () => {
    expect(timeWeightPerHour(2, 0.1)).toBeCloseTo(0.81, 12);
  });

  test("damping by age: 1 / (1 + 0.05·days)", () => {
    expect(hyperbolicDecayPerDay(20, 0.05)).toBe(0.5);
    expect(hyperbolicDecayPerDay(0, 0.05)).toBe(1);
  });
});

test("no curve rises with time, and a time ahead of the clock counts as now", () => {
  const curves: readonly ((elapsed: number) => number)[] = [
    (t) => exponentialDecayPerHour(1, t, 0.1),
    (t) =>
      ebbinghausStrength({
        hoursSinceAccess: t,
        accessCount: 2,
        initialStrength: 0.8,
        decayPerHour: 0.1,
        reinforcement: 0.2,
      }),
    (t) => seedHeat({ accessCount: 3, ageHours: t, hoursSinceAccess: t, decayPerHour: 0.05 }),
    (t) => memoryBankRetention(t, 2, "paper"),
    (t) => memoryBankRetention(t, 2, "intended"),
    (t) => memoryBankRetention(t, 2, "released"),
    (t) => serviceRetention(t, 2, 0.5),
    (t) => serviceHeat({ visits: 3, depth: 2, daysSinceVisit: t }),
    (t) => recencyByTimeConstant(t, 1e7),
    (t) => recencyPerHour(t, 0.995),
    (t) => timeWeightPerHour(t, 0.1),
    (t) => hyperbolicDecayPerDay(t, 0.05),
  ];
  const time = fc.double({ min: -100, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(time, time, (a, b) => {
      for (const curve of curves) {
        expect(curve(Math.max(a, b))).toBeLessThanOrEqual(curve(Math.min(a, b)));
        expect(curve(Math.min(a, 0))).toBe(curve(0));
      }
    }),
  );
});
