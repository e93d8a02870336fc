import { createHash } from 'node:crypto';

/** Random numbers that the same seed repeats exactly; for test data, never for secrets. */
export type Random = {
  /** Uniform in [0, 1). */
  next: () => number;
  /** Uniform integer in [0, below). */
  below: (below: number) => number;
  /** Normal with mean 0 and standard deviation 1. */
  normal: () => number;
  /** Exponential with mean 1. */
  exponential: () => number;
};

/** Returns the random numbers of a seed, by sfc32 (public domain, C. Doty-Humphrey), which passes PractRand. */
export function randomFrom(seed: string): Random {
  const hash = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => hash.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (below) => Math.floor(next() * below),
    // Box-Muller; 1 - next() is never 0, so the logarithm is finite.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    exponential: () => -Math.log(1 - next()),
  };
}
