/**
 * Which tier is a memory in, and where does it go? Tiers are an ordered list that a preset declares (C-6): rank 0 is the
 * front. To promote is one step towards the front, to demote one step back for want of life, to archive one step towards
 * the last for wealth of it (C-8); at either end nothing moves (S1-19). A move changes the tier, never the id (C-9).
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";

const tierSchema = z.strictObject({
  name: z.string().min(1).describe("What the tier is called."),
  capacity: z.int().min(1).nullable().describe("How many entries it holds; null: any number."),
  membership: z
    .enum(["overlay", "exclusive"])
    .describe("overlay: an entry that joins stays in the tier it came from too; exclusive: it leaves it."),
  enter: z
    .number()
    .nullable()
    .describe(
      "Vitality from which an entry is promoted or archived into the tier; null: life alone brings none in.",
    ),
  leave: z
    .number()
    .nullable()
    .describe(
      "Vitality below which an entry is demoted out of the tier; null: want of life drives none out.",
    ),
});

export const tierPlanSchema = z.strictObject({
  tiers: z
    .array(tierSchema)
    .min(1)
    .refine(
      (tiers) => new Set(tiers.map(({ name }) => name)).size === tiers.length,
      "Tiers need different names",
    )
    .refine(
      (tiers) => tiers.every(({ enter, leave }) => enter === null || leave === null || leave <= enter),
      "What may enter a tier must not have to leave it: leave must not be above enter",
    )
    .describe("The tiers, front first."),
});

export type Tier = Readonly<z.infer<typeof tierSchema>>;
export interface TierPlan {
  readonly tiers: readonly Tier[];
}

export const TIER_MOVES = ["promote", "demote", "archive"] as const;
export type TierMoveKind = (typeof TIER_MOVES)[number];

export interface TierMove {
  readonly kind: TierMoveKind;
  readonly from: string;
  readonly to: string;
  /** Whether the entry is no longer in `from`. */
  readonly leaves: boolean;
}

/** One step nearer the front; undefined at the front. */
export function tierAbove(plan: TierPlan, tier: string): Tier | undefined {
  return plan.tiers[rankOf(plan, tier) - 1];
}

/** One step nearer the last; undefined at the last. */
export function tierBelow(plan: TierPlan, tier: string): Tier | undefined {
  return plan.tiers[rankOf(plan, tier) + 1];
}

export function tierNamed(plan: TierPlan, name: string): Tier {
  const tier = plan.tiers.find((one) => one.name === name);
  if (tier !== undefined) return tier;
  const names = plan.tiers.map((one) => one.name);
  throw new MemoryError("unknown_name", `There is no tier "${name}". ${validNames(name, names)}`);
}

/** The move of this kind without asking how alive the entry is: by hand, or for want of room. */
export function moveOf(plan: TierPlan, tier: string, kind: TierMoveKind): TierMove | undefined {
  const target = kind === "promote" ? tierAbove(plan, tier) : tierBelow(plan, tier);
  if (target === undefined) return undefined;
  // Out of an overlay an entry falls back to where it still is; into one it goes without leaving where it was.
  const leaves = kind === "demote" || target.membership === "exclusive";
  return { kind, from: tier, to: target.name, leaves };
}

/**
 * The move of this kind, if the entry's vitality calls for it: at or above the target's `enter` to promote or archive,
 * below the tier's own `leave` to demote (C-4).
 */
export function planMove(
  plan: TierPlan,
  tier: string,
  vitality: number,
  kind: TierMoveKind,
): TierMove | undefined {
  const move = moveOf(plan, tier, kind);
  if (move === undefined) return undefined;
  if (kind === "demote") {
    const { leave } = tierNamed(plan, tier);
    return leave !== null && vitality < leave ? move : undefined;
  }
  const { enter } = tierNamed(plan, move.to);
  return enter !== null && vitality >= enter ? move : undefined;
}

export interface TierMember {
  readonly id: string;
  readonly vitality: number;
}

export interface Overflow {
  /** The least alive of those beyond the capacity, weakest first; of equals the one given first. */
  readonly ids: readonly string[];
  /** Where they go; undefined at the last tier, where only forgetting makes room. */
  readonly move: TierMove | undefined;
}

/** Which members of a tier have no room in it? Give those that came first, first. */
export function planOverflow(plan: TierPlan, tier: string, members: readonly TierMember[]): Overflow {
  const { capacity } = tierNamed(plan, tier);
  const excess = capacity === null ? 0 : Math.max(0, members.length - capacity);
  const weakest = [...members].sort((a, b) => a.vitality - b.vitality).slice(0, excess);
  return { ids: weakest.map(({ id }) => id), move: moveOf(plan, tier, "demote") };
}

function rankOf(plan: TierPlan, name: string): number {
  return plan.tiers.indexOf(tierNamed(plan, name));
}
