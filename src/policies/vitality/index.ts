/** Which vitality policies are there? One line each; a new policy is one file and one line here. */
import { z } from "zod";
import type { Observables } from "../../base/entry.ts";
import { invariant, MemoryError } from "../../base/errors.ts";
import { validNames } from "../../base/nearest-name.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Touch } from "../../storage/touch.ts";
import { biemEnergy } from "./biem-energy.ts";
import { ebbinghaus } from "./ebbinghaus.ts";
import { hybrid } from "./hybrid.ts";
import { lfu } from "./lfu.ts";
import { lru } from "./lru.ts";
import { memorybankRetention } from "./memorybank-retention.ts";
import { memoryosHeat } from "./memoryos-heat.ts";
import { strengthCounter } from "./strength-counter.ts";
import { tieredUsefulness } from "./tiered-usefulness.ts";
import { timeDecay } from "./time-decay.ts";
import type { Vitality } from "./vitality.ts";

export const VITALITY: Readonly<Record<string, Vitality>> = {
  biem_energy: biemEnergy,
  ebbinghaus,
  memorybank_retention: memorybankRetention,
  memoryos_heat: memoryosHeat,
  lru,
  lfu,
  time_decay: timeDecay,
  hybrid,
  strength_counter: strengthCounter,
  tiered_usefulness: tieredUsefulness,
};

/** A policy's name and its options side by side, as a preset writes them: `{ policy: lru }`. */
export const vitalitySchema = unionOf(Object.values(VITALITY));
export type VitalityChoice = Readonly<z.infer<typeof vitalitySchema>>;

/** A policy with its options settled. */
export interface BoundVitality {
  readonly name: string;
  /** How alive at `now`; higher is livelier. */
  score(of: Observables, now: number): number;
  /** What a look changes, beyond counting it; often nothing. */
  onAccess(of: Observables, now: number): Touch;
  /** What a judgement, −1 to 1, changes beyond counting it; often nothing. */
  onFeedback(of: Observables, feedback: number, now: number): Touch;
}

export function vitalityNamed(name: string): Vitality {
  const policy = Object.hasOwn(VITALITY, name) ? VITALITY[name] : undefined;
  if (policy !== undefined) return policy;
  throw new MemoryError(
    "unknown_name",
    `There is no vitality policy "${name}". ${validNames(name, Object.keys(VITALITY))}`,
  );
}

export function createVitality({ policy: asked, ...given }: VitalityChoice): BoundVitality {
  const policy = vitalityNamed(String(asked));
  const { name } = policy;
  const options = parseInput(
    policy.options,
    given,
    `options of the vitality policy ${name}`,
    "option_invalid",
  );
  return {
    name,
    score: (of, now) => policy.score(of, now, options),
    onAccess: (of, now) => policy.onAccess?.(of, now, options) ?? {},
    onFeedback: (of, feedback, now) => policy.onFeedback?.(of, feedback, now, options) ?? {},
  };
}

function unionOf([first, ...others]: readonly Vitality[]) {
  invariant(first !== undefined, "There is no vitality policy");
  return z.discriminatedUnion("policy", [first.choice, ...others.map(({ choice }) => choice)]);
}
