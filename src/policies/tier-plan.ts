/**
 * Where does a memory go, as alive as it is? Tiers are an ordered list that a preset declares (C-6): rank 0 is the front.
 * To promote is one step towards the front, to demote one step back for want of life, to archive one step towards the
 * last for wealth of it (C-8); at either end nothing moves (S1-19). A move changes the tier, never the id (C-9).
 */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";

/** A tier and the lines of vitality that are drawn at it. */
export interface TierLines {
  readonly name: string;
  /** From here on an entry is promoted or archived into the tier; null: life alone brings none in. */
  readonly enter: number | null;
  /** Below this an entry is demoted out of the tier; null: want of life drives none out. */
  readonly leave: number | null;
}

export const TIER_MOVES = ["promote", "demote", "archive"] as const;
export type TierMoveKind = (typeof TIER_MOVES)[number];

export interface TierMove {
  readonly kind: TierMoveKind;
  readonly from: string;
  readonly to: string;
}

export function tierNamed<Tier extends { readonly name: string }>(
  tiers: readonly Tier[],
  name: string,
): Tier {
  const found = tiers.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = tiers.map((one) => one.name);
  throw new MemoryError("unknown_name", `There is no tier "${name}". ${validNames(name, names)}`);
}

/**
 * The move of this kind, if the entry's vitality calls for it: at or above the target's `enter` to promote or archive,
 * below the tier's own `leave` to demote (C-4).
 */
export function planMove(
  tiers: readonly TierLines[],
  from: string,
  vitality: number,
  kind: TierMoveKind,
): TierMove | undefined {
  const own = tierNamed(tiers, from);
  const target = tiers[tiers.indexOf(own) + (kind === "promote" ? -1 : 1)];
  if (target === undefined) return undefined;
  const { enter } = target;
  const isDue =
    kind === "demote" ? own.leave !== null && vitality < own.leave : enter !== null && vitality >= enter;
  return isDue ? { kind, from, to: target.name } : undefined;
}
