/**
 * How alive is a memory after some time? Every curve the memory designs use, as a pure function of what was observed;
 * the constants come from the caller, each with its unit in its name (C-2, C-30). A time that lies ahead of the clock
 * counts as now, so that no skew between two machines makes a memory livelier than it ever was.
 */

/** BIEM energy: E₀·e^(−λ·hours since access) (S4-11; λ = 0.1 per hour, C-2). */
export function exponentialDecayPerHour(initial: number, hours: number, ratePerHour: number): number {
  return initial * Math.exp(-ratePerHour * past(hours));
}

export interface EbbinghausInput {
  readonly hoursSinceAccess: number;
  readonly accessCount: number;
  /** 0.8 in the seed, which calls it base_decay. */
  readonly initialStrength: number;
  /** 0.1 in the seed. */
  readonly decayPerHour: number;
  /** 0.2 in the seed. */
  readonly reinforcement: number;
}

/** Ebbinghaus strength, S1-12: S₀·e^(−λ·hours) + r·ln(accesses + 1), at most 1. The logarithm is our choice (C-3). */
export function ebbinghausStrength(input: EbbinghausInput): number {
  const { hoursSinceAccess, accessCount, initialStrength, decayPerHour, reinforcement } = input;
  const faded = exponentialDecayPerHour(initialStrength, hoursSinceAccess, decayPerHour);
  return Math.min(faded + reinforcement * Math.log(accessCount + 1), 1);
}

export interface SeedHeatInput {
  readonly accessCount: number;
  readonly ageHours: number;
  readonly hoursSinceAccess: number;
  /** 0.05 in the seed. */
  readonly decayPerHour: number;
}

/** Heat as S1-17 has it: half for accesses per hour of age (full at five an hour), half for how recent the last is. */
export function seedHeat({ accessCount, ageHours, hoursSinceAccess, decayPerHour }: SeedHeatInput): number {
  const frequency = Math.min(accessCount / (past(ageHours) + 1) / 10, 0.5);
  return frequency + exponentialDecayPerHour(0.5, hoursSinceAccess, decayPerHour);
}

export type RetentionForm = "paper" | "intended" | "released";

/**
 * MemoryBank retention (Zhong et al., AAAI 2024) by days t since the last recall and strength S. Paper: e^(−t/S).
 * The released program computes e^(−t·S/5), so that what is recalled more is forgotten sooner; e^(−t/(5·S)) is what
 * its constant 5 was evidently meant to say.
 */
export function memoryBankRetention(days: number, strength: number, form: RetentionForm): number {
  switch (form) {
    case "paper":
      return Math.exp(-past(days) / strength);
    case "intended":
      return Math.exp(-past(days) / (5 * strength));
    case "released":
      return Math.exp((-past(days) * strength) / 5);
  }
}

/** Retention of SAGE's hierarchical service: e^(−days/S) with S = 1 + growth·reviews (growth 0.5 there). */
export function serviceRetention(daysSinceReview: number, reviews: number, growthPerReview: number): number {
  return memoryBankRetention(daysSinceReview, 1 + growthPerReview * reviews, "paper");
}

export interface ServiceHeatInput {
  readonly visits: number;
  readonly depth: number;
  readonly daysSinceVisit: number;
}

/** Heat of SAGE's hierarchical service: 0.4·visits (full at 10) + 0.3·depth (full at 5) + 0.3·0.95^days. */
export function serviceHeat({ visits, depth, daysSinceVisit }: ServiceHeatInput): number {
  return 0.4 * Math.min(visits / 10, 1) + 0.3 * Math.min(depth / 5, 1) + 0.3 * 0.95 ** past(daysSinceVisit);
}

/**
 * e^(−seconds/τ): the recency of MemoryOS (Kang et al., EMNLP 2025; τ = 1e7 s in the paper, 24 hours in the released
 * package) and the time weight of LD-Agent (Li et al., NAACL 2025; τ = 1e7 s).
 */
export function recencyByTimeConstant(seconds: number, timeConstantSeconds: number): number {
  return Math.exp(-past(seconds) / timeConstantSeconds);
}

export interface SegmentHeatInput {
  readonly visits: number;
  /** Pages in the segment. */
  readonly interactions: number;
  /** 0 to 1, from `recencyByTimeConstant`. */
  readonly recency: number;
  readonly weights: { readonly visits: number; readonly interactions: number; readonly recency: number };
}

/** MemoryOS segment heat: α·visits + β·interactions + γ·recency (all weights 1 in the paper). */
export function segmentHeat({ visits, interactions, recency, weights }: SegmentHeatInput): number {
  return weights.visits * visits + weights.interactions * interactions + weights.recency * recency;
}

/** Generative Agents recency (Park et al., UIST 2023), paper form: factor^hours since access (0.995 there). */
export function recencyPerHour(hours: number, factorPerHour: number): number {
  return factorPerHour ** past(hours);
}

/**
 * Generative Agents recency as released: factor^rank with rank 1 for the node that was accessed *longest* ago (0.99
 * there), so the oldest counts as the most recent. For faithful replays only.
 */
export function recencyByRank(rank: number, factor: number): number {
  return factor ** rank;
}

/** The `time_weighted` rerank factor: (1 − rate)^hours. */
export function timeWeightPerHour(hours: number, ratePerHour: number): number {
  return recencyPerHour(hours, 1 - ratePerHour);
}

/** Damping of passive memories by age, 1 / (1 + rate·days): long-tailed, so old is weak but never nothing. */
export function hyperbolicDecayPerDay(ageDays: number, ratePerDay: number): number {
  return 1 / (1 + ratePerDay * past(ageDays));
}

function past(elapsed: number): number {
  return Math.max(0, elapsed);
}
