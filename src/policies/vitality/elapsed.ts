/** How long ago? Moments are epoch ms; the curves of math/decay count in hours, days or seconds. */

export function hoursBetween(then: number, now: number): number {
  return (now - then) / 3_600_000;
}

export function daysBetween(then: number, now: number): number {
  return hoursBetween(then, now) / 24;
}
