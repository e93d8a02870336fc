import { DAY_FEATURES, FEATURES } from '../models/features.ts';
import { logit } from '../models/log-odds.ts';
import type { TrainingRows } from '../models/train/rows.ts';
import { randomFrom, type Random } from './generate/random.ts';

const MONTHS = 12;
const MOST_FLIGHTS = 30;
const RATE = 0.115;

/** Made-up rows in the shape that a model learns from: effects that are half true, over a year; the same each time. */
export function someTrainingRows(count: number): TrainingRows {
  const random = randomFrom('bench training rows');
  const rows: TrainingRows = {
    count,
    features: new Float32Array(count * FEATURES.length),
    flights: new Float64Array(count),
    delayed: new Float64Array(count),
    month: new Float64Array(count),
    monthLogOdds: new Float64Array(count),
    season: new Float64Array(count),
  };
  for (let row = 0; row < count; row++) {
    const month = Math.floor((row * MONTHS) / count);
    const level = logit(RATE) + 0.2 * Math.sin(month);
    let lean = 0;
    for (const [at, { name }] of FEATURES.entries()) {
      const value = valueOf(name, random);
      rows.features[row * FEATURES.length + at] = value;
      if (name.endsWith('_effect')) lean += value / 2;
    }
    rows.month[row] = month;
    rows.monthLogOdds[row] = level;
    rows.flights[row] = 1 + random.below(MOST_FLIGHTS);
    rows.delayed[row] = binomial(rows.flights[row] ?? 0, 1 / (1 + Math.exp(-level - lean)), random);
  }
  return rows;
}

function valueOf(name: string, random: Random): number {
  if (DAY_FEATURES.some((day) => day === name)) return 0;
  if (name === 'dep_hour') return random.below(24);
  return name.endsWith('_effect') ? 0.2 * random.normal() : 4_000 * random.next();
}

function binomial(trials: number, p: number, random: Random): number {
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() < p) count += 1;
  return count;
}
