import { DAY_FEATURES, FEATURES } from '../models/features.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import { isEffect, toTrainingRows, type TrainingRows } from '../models/train/rows.ts';
import { randomFrom, type Random } from './generate/random.ts';

const MONTHS = 12;
const FLIGHTS_MAX = 30;
const RATE = 0.115;

/**
 * Returns made-up training rows over a year. The log-odds of a delay are the level of the month plus half of the sum of
 * all effects. Every call returns the same rows.
 */
export function syntheticTrainingRows(count: number): TrainingRows {
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
    let shift = 0;
    for (const { name } of FEATURES) {
      const value = drawValue(name, random);
      set(name, row, value);
      if (isEffect(name)) shift += value / 2;
    }
    const flights = 1 + random.below(FLIGHTS_MAX);
    set('is_forecast', row, 1);
    set('level_shift', row, Number.NaN);
    set('month_number', row, month);
    set('flight_count', row, flights);
    set('delayed_count', row, drawBinomial(flights, expit(level + shift), random));
  }
  const { forecast } = toTrainingRows(columns);
  return { forecast, served: forecast };
}

/** Columns of training rows other than features. */
const COUNTS = [
  'is_forecast',
  'month_number',
  'flight_count',
  'delayed_count',
  'month_odds',
  'level_shift',
];

function drawValue(name: string, random: Random): number {
  if (DAY_FEATURES.some((day) => day === name)) return 0;
  if (name === 'dep_hour') return random.below(24);
  return isEffect(name) ? 0.2 * random.normal() : 4_000 * random.next();
}

function drawBinomial(trials: number, p: number, random: Random): number {
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() < p) count += 1;
  return count;
}
