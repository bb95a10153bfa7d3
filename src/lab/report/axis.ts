/** Where on a plot does a value stand, and which values are written beside it? */

export interface Axis {
  readonly ticks: readonly number[];
  /** In the units of the picture. */
  place(value: number): number;
}

export interface AxisOptions {
  readonly values: readonly number[];
  /** Of the picture: where the axis begins and ends. */
  readonly from: number;
  readonly to: number;
}

/** Even steps that people count in, from just below the least value to just above the greatest. */
export function linearAxis({ values, from, to }: AxisOptions, hasZero: boolean): Axis {
  const least = Math.min(...values, ...(hasZero ? [0] : []));
  const greatest = Math.max(...values);
  const step = niceStep((greatest - least) / 4 || Math.abs(greatest) / 4 || 1);
  const top = Math.ceil(greatest / step - 1e-9);
  // Where all values are one, the room is below it: shares of 100 per cent are not on their way to 150.
  const low = Math.min(Math.floor(least / step + 1e-9), top > 0 ? top - 1 : top);
  const high = Math.max(low + 1, top);
  const ticks = Array.from({ length: high - low + 1 }, (_, place) =>
    Number(((low + place) * step).toPrecision(12)),
  );
  return {
    ticks,
    place: (value) => rounded(from + ((value / step - low) / (high - low)) * (to - from)),
  };
}

/** Equal ratios take equal room. Written are the given values, else 1, 2 and 5 of every power of ten. */
export function logAxis({ values, from, to }: AxisOptions, ticks?: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0);
  const [least, greatest] = [Math.min(...positive), Math.max(...positive)];
  const marks = ticks ?? stepsAround(least, greatest);
  const low = Math.log(Math.min(least, ...marks));
  const high = Math.log(Math.max(greatest, ...marks));
  const width = high - low || 1;
  return {
    ticks: marks,
    place: (value) =>
      rounded(from + ((Math.log(Math.max(value, Math.exp(low))) - low) / width) * (to - from)),
  };
}

/** The steps between which all values lie. Where they span more than a few, powers of ten are enough. */
function stepsAround(least: number, greatest: number): number[] {
  const steps: number[] = [];
  const digits = greatest / least > 100 ? [1] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(greatest)); power++) {
    for (const digit of digits) steps.push(Number(`${digit}e${power}`));
  }
  const first = Math.max(
    0,
    steps.findLastIndex((step) => step <= least),
  );
  const last = steps.findIndex((step) => step >= greatest);
  return steps.slice(first, Math.max(first + 2, last + 1));
}

function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const digit = wanted / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/** A tenth of a unit cannot be seen. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
