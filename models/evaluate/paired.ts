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
  /** Standard error of the gain. */
  error: number;
  blocks: number;
};

/** Standard errors a gain must exceed: a tie comes out so once in 30,000 times, or a little oftener for few blocks. */
export const NOISE_ERRORS = 4;

/** The error is known to a fortieth. */
const RESAMPLES = 1_000;

/** The same flights give the same error. */
const SEED = 20_180_101;

/** The gain with its error by a bootstrap over the blocks; NaN without flights. */
export function pairedGain(cases: PairedCase[]): PairedGain {
  const blocks = blocksOf(cases);
  const random = randomFrom(SEED);
  const gain = meanGain(blocks, (at) => at);
  let squares = 0;
  for (let sample = 0; sample < RESAMPLES; sample++) {
    squares += (meanGain(blocks, () => Math.floor(random() * blocks.length)) - gain) ** 2;
  }
  return { gain, error: Math.sqrt(squares / RESAMPLES), blocks: blocks.length };
}

/** Whether the candidate is better than its rival by more than the noise. */
export function isBeyondNoise({ gain, error }: PairedGain): boolean {
  return gain > 0 && gain > NOISE_ERRORS * error;
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

/** The gain a flight over as many blocks as there are, each picked by its turn. */
function meanGain(blocks: Block[], pick: (turn: number) => number): number {
  let [flights, gain] = [0, 0];
  for (let turn = 0; turn < blocks.length; turn++) {
    const block = blocks[pick(turn)] as Block;
    flights += block.flights;
    gain += block.gain;
  }
  return gain / flights;
}
