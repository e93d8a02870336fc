import { randomFrom } from './random.ts';

/** Like flights for which two forecasts were made, and what became of them. */
export type PairedCase = {
  /** Flights of a block share their weather and their day: blocks, not flights, are what chance draws. */
  block: string;
  flights: number;
  delayed: number;
  /** P(delayed) of either. */
  candidate: number;
  rival: number;
};

/** By how much the candidate's Brier score is below its rival's on the same flights; negative where it is above. */
export type PairedGain = {
  gain: number;
  /** The interval chance leaves it, `CONFIDENCE` wide. */
  low: number;
  high: number;
  blocks: number;
};

/** So wide that one tie in two thousand is taken for a gain: with a training a month, once in a lifetime. */
export const CONFIDENCE = 0.999;

/** So many that five are beyond either end. */
const RESAMPLES = 10_000;

/** The same flights give the same interval. */
const SEED = 20_180_101;

/** The gain with its interval by a bootstrap over the blocks; NaN without flights. */
export function pairedGain(cases: PairedCase[]): PairedGain {
  const blocks = blocksOf(cases);
  const random = randomFrom(SEED);
  const drawn = Float64Array.from({ length: RESAMPLES }, () =>
    meanGain(blocks.map(() => blocks[Math.floor(random() * blocks.length)] as Block)),
  ).toSorted();
  const beyond = Math.round((RESAMPLES * (1 - CONFIDENCE)) / 2);
  return {
    gain: meanGain(blocks),
    low: drawn[beyond - 1] ?? Number.NaN,
    high: drawn[RESAMPLES - beyond] ?? Number.NaN,
    blocks: blocks.length,
  };
}

/** Flights of a block, and the sum of their gains. */
type Block = { flights: number; gain: number };

function blocksOf(cases: PairedCase[]): Block[] {
  const blocks = new Map<string, Block>();
  for (const { block, flights, delayed, candidate, rival } of cases) {
    const sum = blocks.get(block) ?? { flights: 0, gain: 0 };
    sum.flights += flights;
    sum.gain += delayed * ((1 - rival) ** 2 - (1 - candidate) ** 2);
    sum.gain += (flights - delayed) * (rival ** 2 - candidate ** 2);
    blocks.set(block, sum);
  }
  return [...blocks.values()];
}

function meanGain(blocks: Block[]): number {
  let [flights, gain] = [0, 0];
  for (const block of blocks) {
    flights += block.flights;
    gain += block.gain;
  }
  return gain / flights;
}
