import { DAY_FEATURES, FEATURES } from '../models/features.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import { isEffect, trainingRows, type TrainingRows } from '../models/train/rows.ts';
import { randomFrom, type Random } from './generate/random.ts';

const MONTHS = 12;
const MOST_FLIGHTS = 30;
const RATE = 0.115;

/** Made-up rows in the shape that a model learns from: effects that are half true, over a year; the same each time. */
export function someTrainingRows(count: number): TrainingRows {
  const random = randomFrom('bench training rows');
  const columns: Record<string, Float64Array> = Object.fromEntries(
    [...FEATURES.map(({ name }) => name), ...COUNTS].map((name) => [name, new Float64Array(count)]),
  );
  const set = (name: string, row: number, value: number) => {
    const column = columns[name];
    if (column) column[row] = value;
  };
  for (let row = 0; row < count; row++) {
    const month = Math.floor((row * MONTHS) / count);
    const level = logit(RATE) + 0.2 * Math.sin(month);
    let lean = 0;
    for (const { name } of FEATURES) {
      const value = valueOf(name, random);
      set(name, row, value);
      if (isEffect(name)) lean += value / 2;
    }
    const flights = 1 + random.below(MOST_FLIGHTS);
    set('is_forecast', row, 1);
    set('level_shift', row, Number.NaN);
    set('month_number', row, month);
    set('flight_count', row, flights);
    set('delayed_count', row, binomial(flights, expit(level + lean), random));
  }
  const { forecast } = trainingRows(columns);
  return { forecast, served: forecast };
}

/** Columns of the training rows beside the features. */
const COUNTS = [
  'is_forecast',
  'month_number',
  'flight_count',
  'delayed_count',
  'month_odds',
  'level_shift',
];

function valueOf(name: string, random: Random): number {
  if (DAY_FEATURES.some((day) => day === name)) return 0;
  if (name === 'dep_hour') return random.below(24);
  return isEffect(name) ? 0.2 * random.normal() : 4_000 * random.next();
}

function binomial(trials: number, p: number, random: Random): number {
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() < p) count += 1;
  return count;
}
