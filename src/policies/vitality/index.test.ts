import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Observables } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import { anchorAfter, checkTouch, type Touch } from "../../storage/touch.ts";
import { createVitality, VITALITY, type VitalityChoice, vitalityNamed, vitalitySchema } from "./index.ts";

const GRADES = [
  { useful_from: 0, days_per_loss: 3, useless_recall_loss: 0 },
  { useful_from: 3, days_per_loss: null, useless_recall_loss: 1 },
  { useful_from: 10, days_per_loss: null, useless_recall_loss: 0 },
];

/** Every policy in every form. */
const CHOICES: readonly VitalityChoice[] = [
  {
    policy: "biem_energy",
    initial_energy: 0.5,
    decay_per_hour: 0.1,
    access_boost: 0.1,
    feedback_boost: 0.1,
  },
  { policy: "ebbinghaus", initial_strength: 0.8, decay_per_hour: 0.1, reinforcement_factor: 0.2 },
  { policy: "memorybank_retention", form: "paper", initial_strength: 1, strength_per_recall: 1 },
  { policy: "memorybank_retention", form: "intended", initial_strength: 1, strength_per_recall: 1 },
  { policy: "memorybank_retention", form: "released", initial_strength: 1, strength_per_recall: 1 },
  { policy: "memorybank_retention", form: "service", growth_per_recall: 0.5 },
  { policy: "memoryos_heat", form: "seed", decay_per_hour: 0.05 },
  {
    policy: "memoryos_heat",
    form: "segment",
    visit_weight: 1,
    interaction_weight: 1,
    recency_weight: 1,
    recency_seconds: 1e7,
  },
  { policy: "memoryos_heat", form: "service" },
  { policy: "lru" },
  { policy: "lfu" },
  { policy: "time_decay", decay_per_hour: 0.01 },
  {
    policy: "hybrid",
    time_weight: 0.3,
    frequency_weight: 0.3,
    importance_weight: 0.4,
    decay_per_hour: 0.01,
    unjudged_importance: 0.5,
  },
  { policy: "strength_counter", strength_per_useful: 3 },
  { policy: "tiered_usefulness", points_per_useful: 2.5, grades: GRADES },
];

const moment = fc.integer({ min: 0, max: 4e12 });
const count = fc.nat(1000);
const observables: fc.Arbitrary<Observables> = fc.record({
  createdAt: moment,
  lastAccessAt: moment,
  accessCount: count,
  usefulCount: count,
  importance: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  strength: count,
  pinned: fc.boolean(),
  energyAnchor: fc.option(fc.record({ value: fc.double({ min: 0, max: 1, noNaN: true }), at: moment })),
  tier: fc.constant(null),
});

describe.each(CHOICES.map((choice) => ({ name: `${choice.policy} ${choice.form ?? ""}`.trim(), choice })))(
  "the laws of $name",
  ({ choice }) => {
    const vitality = createVitality(choice);

    test("a judgement of 0 changes nothing", () => {
      fc.assert(
        fc.property(observables, (of) => {
          const now = Math.max(of.createdAt, of.lastAccessAt, of.energyAnchor?.at ?? 0);
          const after = touched(of, vitality.onFeedback(of, 0, now));
          expect(vitality.score(after, now)).toBeCloseTo(vitality.score(of, now), 9);
        }),
      );
    });

    test("[C-1] the score is pure: asked again, and with sweeps in between, it is the same", () => {
      fc.assert(
        fc.property(observables, moment, moment, (of, now, sweep) => {
          const frozen = Object.freeze(structuredClone(of));
          const once = vitality.score(frozen, now);
          vitality.score(frozen, sweep);
          expect(vitality.score(frozen, now)).toBe(once);
          expect(once).not.toBeNaN();
          expect(frozen).toEqual(of);
        }),
      );
    });

    test("no score rises by waiting, and a moment ahead of the clock counts as now", () => {
      fc.assert(
        fc.property(observables, moment, moment, (of, a, b) => {
          const first = vitality.score(of, Math.min(a, b));
          expect(vitality.score(of, Math.max(a, b))).toBeLessThanOrEqual(first);
          const born = Math.min(of.createdAt, of.lastAccessAt, of.energyAnchor?.at ?? of.createdAt);
          expect(vitality.score(of, born - 1)).toBe(vitality.score(of, born));
        }),
      );
    });

    test("what a look and a judgement change, storage takes; neither look nor praise takes life", () => {
      const isPunishedByStrength = choice.form === "released";
      fc.assert(
        fc.property(observables, moment, fc.double({ min: 0.01, max: 1, noNaN: true }), (of, now, praise) => {
          const looked = checkTouch(vitality.onAccess(of, now));
          const praised = checkTouch(vitality.onFeedback(of, praise, now));
          checkTouch(vitality.onFeedback(of, -praise, now));
          if (isPunishedByStrength) return;
          const before = vitality.score(of, now) - 1e-9;
          const counted = { accessCount: of.accessCount + 1, lastAccessAt: Math.max(now, of.lastAccessAt) };
          expect(vitality.score({ ...touched(of, looked), ...counted }, now)).toBeGreaterThanOrEqual(before);
          const useful = { usefulCount: of.usefulCount + 1 };
          expect(vitality.score({ ...touched(of, praised), ...useful }, now)).toBeGreaterThanOrEqual(before);
        }),
      );
    });

    test("a preset may choose it, and every option is required and known", () => {
      expect(vitalitySchema.parse(choice)).toEqual(choice);
      expect(() => vitalitySchema.parse({ ...choice, other: 1 })).toThrow(/other/);
      expect(() => createVitality({ ...choice, other: 1 })).toThrow(/other/);
      for (const key of Object.keys(choice)) {
        const { [key]: _, ...rest } = choice;
        expect(vitalitySchema.safeParse(rest).success).toBe(false);
      }
    });
  },
);

function touched(of: Observables, touch: Touch): Observables {
  return { ...of, strength: touch.strength ?? of.strength, energyAnchor: anchorAfter(of, touch) };
}

describe("the registry", () => {
  test("every file that defines a policy is registered under its own name, with a summary", () => {
    const defined = readdirSync(import.meta.dirname)
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "vitality.ts")
      .filter((file) => readFileSync(join(import.meta.dirname, file), "utf8").includes("defineVitality({"))
      .map((file) => file.replace(/\.ts$/, "").replaceAll("-", "_"));
    expect(defined.sort()).toEqual(Object.keys(VITALITY).sort());
    for (const [name, policy] of Object.entries(VITALITY)) {
      expect(policy.name).toBe(name);
      expect(policy.summary).toMatch(/\S.*\.$/);
    }
  });

  test("the laws above are asked of every policy", () => {
    expect(new Set(CHOICES.map(({ policy }) => policy))).toEqual(new Set(Object.keys(VITALITY)));
  });

  test("an unknown name is refused with the valid ones and the likely one", () => {
    expect(() => vitalityNamed("ebinghaus")).toThrow(MemoryError);
    expect(() => createVitality({ policy: "ebinghaus" })).toThrow(/lfu, lru.*Did you mean "ebbinghaus"/);
    expect(() => vitalityNamed("constructor")).toThrow(/no vitality policy/);
  });

  test("the schema describes every option for the documentation", () => {
    const undescribed: string[] = [];
    const visit = (path: string, node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === "properties" && typeof value === "object" && value !== null) {
          for (const [name, property] of Object.entries(value)) {
            if (JSON.stringify(property).includes('"description"') === false)
              undescribed.push(`${path}.${name}`);
          }
        }
        visit(`${path}.${key}`, value);
      }
    };
    visit("", z.toJSONSchema(vitalitySchema));
    expect(undescribed).toEqual([]);
  });
});
