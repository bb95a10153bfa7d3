/** The numbers of papers.md and B.1, through the policies as presets choose them. */
import { describe, expect, test } from "vitest";
import type { Observables } from "../../base/entry.ts";
import { anchorAfter } from "../../storage/touch.ts";
import { createVitality, vitalitySchema } from "./index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BORN: Observables = {
  createdAt: 0,
  lastAccessAt: 0,
  accessCount: 0,
  usefulCount: 0,
  importance: null,
  strength: 0,
  pinned: false,
  energyAnchor: null,
  tier: null,
};

describe("biem_energy", () => {
  const given = { initial_energy: 0.5, decay_per_hour: 0.1, access_boost: 0.1, feedback_boost: 0.1 };
  const energy = createVitality({ policy: "biem_energy", ...given });
  const stored = { ...BORN, energyAnchor: { value: 0.8, at: 2 * HOUR } };

  test("[S4-11][C-2] from the anchor, 0.1 per hour; without one, from the initial energy at the last access", () => {
    expect(energy.score(stored, 12 * HOUR)).toBeCloseTo(0.8 / Math.E, 12);
    expect(energy.score({ ...BORN, lastAccessAt: HOUR }, 11 * HOUR)).toBeCloseTo(0.5 / Math.E, 12);
  });

  test("[S4-12] a look adds 0.1 to what is left, at most 1", () => {
    const look = energy.onAccess(stored, 12 * HOUR);
    expect(anchorAfter(stored, look)).toEqual({ value: 0.8 * Math.exp(-1) + 0.1, at: 12 * HOUR });
    const strong = { ...BORN, energyAnchor: { value: 0.95, at: 0 } };
    expect(anchorAfter(strong, energy.onAccess(strong, 0))?.value).toBe(1);
  });

  test("[S4-13] a judgement adds feedback × 0.1, between 0 and 1", () => {
    expect(anchorAfter(BORN, energy.onFeedback(BORN, 0.5, 0))?.value).toBeCloseTo(0.55, 12);
    expect(anchorAfter(BORN, energy.onFeedback(BORN, -1, 0))?.value).toBeCloseTo(0.4, 12);
    const weak = { ...BORN, energyAnchor: { value: 0.05, at: 0 } };
    expect(anchorAfter(weak, energy.onFeedback(weak, -1, 0))?.value).toBe(0);
  });

  test("[C-1] writing the anchor anew decays nothing twice", () => {
    const still = createVitality({ policy: "biem_energy", ...given, access_boost: 0 });
    const energyAnchor = anchorAfter(stored, still.onAccess(stored, 7 * HOUR));
    expect(still.score({ ...stored, energyAnchor }, 30 * HOUR)).toBeCloseTo(
      still.score(stored, 30 * HOUR),
      12,
    );
  });
});

describe("ebbinghaus", () => {
  const given = { initial_strength: 0.8, decay_per_hour: 0.1, reinforcement_factor: 0.2 };
  const strength = createVitality({ policy: "ebbinghaus", ...given });

  test("[S1-11][S1-12] 0.8·e^(−0.1·hours) + 0.2·ln(accesses + 1), at most 1", () => {
    expect(strength.score(BORN, 0)).toBe(0.8);
    const used = { ...BORN, accessCount: 3, lastAccessAt: 5 * HOUR };
    expect(strength.score(used, 10 * HOUR)).toBeCloseTo(0.8 * Math.exp(-0.5) + 0.2 * Math.log(4), 12);
    expect(strength.score({ ...BORN, accessCount: 99 }, 0)).toBe(1);
  });

  test.each([
    [0, 9.8],
    [1, 16.0],
    [2, 23.0],
    [3, 35.6],
  ])("[S1-13] with %i accesses it is forgotten (below 0.3) after %f hours", (accessCount, hours) => {
    const used = { ...BORN, accessCount };
    expect(strength.score(used, (hours - 0.1) * HOUR)).toBeGreaterThan(0.3);
    expect(strength.score(used, (hours + 0.1) * HOUR)).toBeLessThan(0.3);
  });

  test("[S1-13] with 4 accesses it is never forgotten", () => {
    expect(strength.score({ ...BORN, accessCount: 4 }, 1000 * 365 * DAY)).toBeGreaterThan(0.3);
  });

  test("[S1-15] a look changes nothing but the counted access and its moment", () => {
    expect(strength.onAccess(BORN, HOUR)).toEqual({});
  });
});

describe("memorybank_retention", () => {
  const bank = (form: string) =>
    createVitality({ policy: "memorybank_retention", form, initial_strength: 1, strength_per_recall: 1 });

  test("[P4-1][P4-2] papers.md §4: five days at strength 1 and 2 in each form; never forgotten on the day", () => {
    const recalled = { ...BORN, strength: 1 };
    expect(bank("intended").score(BORN, 5 * DAY)).toBeCloseTo(0.3679, 4);
    expect(bank("intended").score(recalled, 5 * DAY)).toBeCloseTo(0.6065, 4);
    expect(bank("released").score(recalled, 5 * DAY)).toBeCloseTo(0.1353, 4);
    expect(bank("paper").score(recalled, 2 * DAY)).toBeCloseTo(0.3679, 4);
    for (const form of ["paper", "intended", "released"]) expect(bank(form).score(recalled, 0)).toBe(1);
  });

  test("[P4-3] a recall raises strength by exactly 1 and starts the days anew", () => {
    const touch = bank("intended").onAccess({ ...BORN, strength: 4 }, 3 * DAY);
    expect(touch).toEqual({ addStrength: 1 });
    expect(bank("intended").score({ ...BORN, strength: 5, lastAccessAt: 3 * DAY }, 3 * DAY)).toBe(1);
  });

  test("the service's form: S is 1 and gains 0.5 per review; below 0.3 after 1.2 days", () => {
    const service = createVitality({
      policy: "memorybank_retention",
      form: "service",
      growth_per_recall: 0.5,
    });
    expect(service.score({ ...BORN, accessCount: 4 }, 3 * DAY)).toBeCloseTo(Math.exp(-1), 12);
    expect(service.score(BORN, 1.2 * DAY)).toBeGreaterThan(0.3);
    expect(service.score(BORN, 1.21 * DAY)).toBeLessThan(0.3);
    expect(service.onAccess(BORN, DAY)).toEqual({});
  });
});

describe("memoryos_heat", () => {
  test("[S1-16][S1-17] the seed's form: an untouched item cools from 0.5 to 0.3 in 10.2 hours", () => {
    const heat = createVitality({ policy: "memoryos_heat", form: "seed", decay_per_hour: 0.05 });
    expect(heat.score(BORN, 0)).toBe(0.5);
    expect(heat.score(BORN, 10.1 * HOUR)).toBeGreaterThan(0.3);
    expect(heat.score(BORN, 10.3 * HOUR)).toBeLessThan(0.3);
    const used = { ...BORN, accessCount: 3, lastAccessAt: 3 * HOUR };
    expect(heat.score(used, 5 * HOUR)).toBeCloseTo(3 / 6 / 10 + 0.5 * Math.exp(-0.1), 12);
    expect(heat.score({ ...BORN, accessCount: 4 }, 0)).toBeGreaterThan(0.8);
    const old = { ...BORN, accessCount: 30, lastAccessAt: 23 * HOUR };
    expect(heat.score(old, 23 * HOUR)).toBeLessThan(0.8);
  });

  const even = { visit_weight: 1, interaction_weight: 1, recency_weight: 1 };
  const segment = (numbers: object) =>
    createVitality({ policy: "memoryos_heat", form: "segment", ...numbers });

  test("papers.md §6: a new segment of 4 pages has heat 5, whichever time constant", () => {
    const pages = { ...BORN, strength: 4 };
    expect(segment({ ...even, recency_seconds: 86_400 }).score(pages, 0)).toBe(5);
    expect(segment({ ...even, recency_seconds: 1e7 }).score(pages, 0)).toBe(5);
  });

  test("papers.md §6: recency is 1/e after 24 hours as released, after 1e7 seconds in the paper", () => {
    expect(segment({ ...even, recency_seconds: 86_400 }).score(BORN, DAY)).toBeCloseTo(Math.exp(-1), 12);
    expect(segment({ ...even, recency_seconds: 1e7 }).score(BORN, 1e10)).toBeCloseTo(Math.exp(-1), 12);
  });

  test("papers.md §6: the evaluation's weights, with a recency that stays", () => {
    const numbers = {
      visit_weight: 0.8,
      interaction_weight: 0.8,
      recency_weight: 0.0001,
      recency_seconds: null,
    };
    const visited = { ...BORN, accessCount: 2, strength: 3 };
    expect(segment(numbers).score(visited, 365 * DAY)).toBeCloseTo(4.0001, 12);
  });

  test("B.0.3: the service's form", () => {
    const heat = createVitality({ policy: "memoryos_heat", form: "service" });
    expect(heat.score({ ...BORN, accessCount: 20, strength: 9 }, 0)).toBeCloseTo(1, 12);
    expect(heat.score({ ...BORN, accessCount: 5, strength: 1 }, 2 * DAY)).toBeCloseTo(
      0.26 + 0.3 * 0.9025,
      12,
    );
  });
});

describe("lru, lfu, time_decay and hybrid", () => {
  const used = { ...BORN, accessCount: 3, lastAccessAt: 2 * HOUR };

  test("lru: minus the hours unused; lfu: the number of looks", () => {
    expect(createVitality({ policy: "lru" }).score(used, 26 * HOUR)).toBe(-24);
    expect(createVitality({ policy: "lru" }).score(used, 0)).toBe(0);
    expect(createVitality({ policy: "lfu" }).score(used, 26 * HOUR)).toBe(3);
  });

  test("time_decay: by age, whether it was used or not", () => {
    const decay = createVitality({ policy: "time_decay", decay_per_hour: 0.1 });
    expect(decay.score(used, 10 * HOUR)).toBeCloseTo(Math.exp(-1), 12);
    expect(decay.score(BORN, 10 * HOUR)).toBe(decay.score(used, 10 * HOUR));
  });

  test("B.0.2: hybrid weighs time 0.3, frequency 0.3, importance 0.4", () => {
    const given = { time_weight: 0.3, frequency_weight: 0.3, importance_weight: 0.4 };
    const mixed = createVitality({
      policy: "hybrid",
      ...given,
      decay_per_hour: 0.1,
      unjudged_importance: 0.5,
    });
    const now = 10 * HOUR;
    expect(mixed.score(used, now)).toBeCloseTo(0.3 / Math.E + 0.3 * 0.75 + 0.4 * 0.5, 12);
    expect(mixed.score({ ...used, importance: 1 }, now)).toBeCloseTo(0.3 / Math.E + 0.225 + 0.4, 12);
  });
});

describe("strength_counter", () => {
  const counter = createVitality({ policy: "strength_counter", strength_per_useful: 3 });

  test("[S3-27] praise adds 3, blame and time take nothing", () => {
    const passive = { ...BORN, strength: 10 };
    expect(counter.score(passive, 1e12)).toBe(10);
    expect(counter.onFeedback(passive, 1, 0)).toEqual({ addStrength: 3 });
    expect(counter.onFeedback(passive, -1, 0)).toEqual({});
    expect(counter.onAccess(passive, 0)).toEqual({});
  });
});

describe("tiered_usefulness (B.3)", () => {
  const grades = [
    { useful_from: 0, days_per_loss: 3, useless_recall_loss: 0 },
    { useful_from: 3, days_per_loss: null, useless_recall_loss: 1 },
    { useful_from: 10, days_per_loss: null, useless_recall_loss: 0 },
  ];
  const choice = { policy: "tiered_usefulness", points_per_useful: 2.5, grades };
  const tiered = createVitality(choice);
  const passive = { ...BORN, strength: 10 };

  test("the first grade loses 1 per 3 days and nothing by vain recalls: gone after 30 days", () => {
    expect(tiered.score(passive, 3 * DAY)).toBe(9);
    expect(tiered.score(passive, 30 * DAY)).toBe(0);
    expect(tiered.score({ ...passive, usefulCount: 1 }, 3 * DAY)).toBe(9);
    expect(tiered.onFeedback(passive, -1, DAY)).toEqual({});
  });

  test("[C-16] the second grade, from 3 points on, loses 1 per vain recall and nothing by time", () => {
    const middling = { ...passive, usefulCount: 2 };
    expect(tiered.score(middling, 300 * DAY)).toBe(10);
    expect(tiered.onFeedback(middling, -1, DAY)).toEqual({ energyAnchor: { value: 9, at: DAY } });
    expect(tiered.onFeedback(middling, 1, DAY)).toEqual({});
  });

  test("the third grade, from 10 points on, loses nothing", () => {
    const best = { ...passive, usefulCount: 4 };
    expect(tiered.score(best, 3000 * DAY)).toBe(10);
    expect(tiered.onFeedback(best, -1, DAY)).toEqual({});
  });

  test("[C-1] what was lost before a change of grade stays lost, and is lost once", () => {
    const once = { ...passive, usefulCount: 1 };
    expect(tiered.onFeedback(passive, 1, 6 * DAY)).toEqual({});
    const { energyAnchor = null } = tiered.onFeedback(once, 1, 6 * DAY);
    expect(energyAnchor).toEqual({ value: 8, at: 6 * DAY });
    expect(tiered.score({ ...passive, usefulCount: 2, energyAnchor }, 60 * DAY)).toBe(8);
  });

  test("grades out of order, or without a first one, are refused", () => {
    expect(vitalitySchema.safeParse({ ...choice, grades: grades.toReversed() }).success).toBe(false);
    expect(vitalitySchema.safeParse({ ...choice, grades: grades.slice(1) }).success).toBe(false);
    expect(vitalitySchema.safeParse({ ...choice, grades: [] }).success).toBe(false);
  });
});
