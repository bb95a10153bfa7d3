/** How alive is it, in a word (S4-14)? Only words: what a design does at which energy, its preset says. */
export const ENERGY_BANDS = [
  { band: "hot", from: 0.7 },
  { band: "warm", from: 0.5 },
  { band: "cold", from: 0.3 },
  { band: "fading", from: 0.1 },
  { band: "faint", from: 0 },
] as const;
export type EnergyBand = (typeof ENERGY_BANDS)[number]["band"];

/** Bounds belong to the band above them (C-4). */
export function bandOf(energy: number): EnergyBand {
  return ENERGY_BANDS.find(({ from }) => energy >= from)?.band ?? "faint";
}
