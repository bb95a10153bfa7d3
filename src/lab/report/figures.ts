/** How is a number written? The same in every table, plot and page: shares in per cent with one decimal, the rest to be read. */
import type { Estimate, ModelUse } from "../result.ts";

/** What stands where nothing was measured. */
export const NOTHING = "–";

/** 0.8391 → "83.9". */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** "83.9 (81.2–86.4)". */
export function percentInterval({ mean, low, high }: Estimate): string {
  return `${percent(mean)} (${percent(low)}–${percent(high)})`;
}

/** A difference of shares, in points: "+2.1 (−0.4 to +4.6)". A dash between would read as a minus. */
export function pointsInterval({ mean, low, high }: Estimate): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

function signed(share: number): string {
  const text = percent(Math.abs(share));
  if (text === "0.0") return text;
  return `${share < 0 ? "−" : "+"}${text}`;
}

/** Of things that are counted: "412 (405–419)". */
export function countInterval({ mean, low, high }: Estimate): string {
  return `${count(mean)} (${count(low)}–${count(high)})`;
}

/** A difference of counts: "+114 (−3 to +231)". */
export function countDifference({ mean, low, high }: Estimate): string {
  const [middle, least, most] = [mean, low, high].map((value) => {
    const text = count(Math.abs(value));
    return text === "0" ? text : `${value < 0 ? "−" : "+"}${text}`;
  });
  return `${middle} (${least} to ${most})`;
}

/** 12345.6 → "12,346". */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function milliseconds(value: number): string {
  if (value >= 3_600_000) return `${(value / 3_600_000).toFixed(1)} h`;
  if (value >= 60_000) return `${(value / 60_000).toFixed(1)} min`;
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 100 ? `${Math.round(value)} ms` : `${Number(value.toPrecision(2))} ms`;
}

export function bytes(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} MB`;
  return value >= 1000 ? `${(value / 1000).toFixed(1)} kB` : `${Math.round(value)} B`;
}

/** What no model was asked for costs nothing; what was asked of a model without a price is not known. */
export function money({ calls, usd }: Pick<ModelUse, "calls" | "usd">): string {
  if (usd === null) return calls === 0 ? "$0" : "no price known";
  return usd === 0 ? "$0" : `$${usd >= 1 ? usd.toFixed(2) : Number(usd.toPrecision(2))}`;
}

/** The beginning of a hash tells two apart. */
export function shortHash(hash: string): string {
  return hash.slice(0, 10);
}
