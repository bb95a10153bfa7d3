/** The only source of chance. Seeded where a result must repeat, cryptographic where an id must not. */

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** Numbers are drawn from the operating system a pool at a time: one by one they would cost more than what uses them. */
const POOL = new Uint32Array(256);
let drawn = POOL.length;

export const systemRandom: Random = {
  next: () => {
    if (drawn === POOL.length) {
      crypto.getRandomValues(POOL);
      drawn = 0;
    }
    return (POOL[drawn++] ?? 0) / 2 ** 32;
  },
};

/** Mulberry32: 32 bits of state, passes the usual small-crush tests, plenty for projections and sampling. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next: () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = state;
      mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

/** A standard normal number (Box–Muller). */
export function gaussian(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
