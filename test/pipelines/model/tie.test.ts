import test from 'ava';
import type { Figures } from '../../../models/evaluate/metrics.ts';
import { pairedFigures, type PairedCase } from '../../../models/evaluate/paired.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { judge, type Verdict } from '../../../pipelines/model/release-verdict.ts';

const DAYS = 61;
const GROUPS = 33;
const FLIGHTS = 10;

/** A generator of reproducible numbers in [0, 1): mulberry32 by Tommy Ettinger, in the public domain. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws a standard normal number. */
function normalFrom(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A rehearsal over two months: whole days are good or bad, and each model has its own random error in log-odds. */
function aTrial(random: () => number, errors: { candidate: number; rival: number }): Verdict {
  const normal = () => normalFrom(random);
  const cases: PairedCase[] = [];
  for (let day = 0; day < DAYS; day++) {
    const weather = 0.6 * normal();
    for (let group = 0; group < GROUPS; group++) {
      const usual = -2.1 + 0.6 * normal();
      const chance = expit(usual + weather);
      const late = Array.from({ length: FLIGHTS }, () => Number(random() < chance));
      cases.push({
        cluster: String(day),
        flights: FLIGHTS,
        delayed: late.reduce((sum, one) => sum + one, 0),
        ours: expit(usual + errors.candidate * normal()),
        theirs: expit(usual + errors.rival * normal()),
      });
    }
  }
  const { brier, clusters } = pairedFigures(cases);
  const figures = { n: DAYS * GROUPS * FLIGHTS, skill: 0.02, brier: 0.1 } as Figures;
  return judge({
    months: ['2025-03', '2025-04'],
    candidate: figures,
    previous: { ...figures, version: 'abc123' },
    gain: { gain: -brier.difference, error: brier.noise, blocks: clusters },
  });
}

const SEEDS = Array.from({ length: 200 }, (_, at) => at + 1);

/** Seeds of the trials that end in a release. */
function releasedSeeds(errors: { candidate: number; rival: number }): number[] {
  return SEEDS.filter((seed) => aTrial(randomFrom(seed), errors).isReleased);
}

test('with equal errors no model is released in 200 trainings', (t) => {
  t.deepEqual(releasedSeeds({ candidate: 0.15, rival: 0.15 }), []);
});

test('a slightly worse model is never released', (t) => {
  t.deepEqual(releasedSeeds({ candidate: 0.2, rival: 0.15 }), []);
});

test('a clearly better model is always released', (t) => {
  t.deepEqual(releasedSeeds({ candidate: 0.1, rival: 0.8 }), SEEDS);
});
