import type { LevelStatus } from './levels.ts';
import type { MonthStatus } from './months.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { WeatherMonthRef } from '../../../warehouse/lake/weather-lake.ts';
import type { OpsCell } from '../../../warehouse/live/ops-summary.ts';

export const FLIGHTS = 'flights';
const LEVELS = 'delay causes';

/** Each month of each source, from the first to the last that anything is known of: flights, delay causes, weather. */
export function opsCells(
  months: MonthStatus[],
  levels: LevelStatus,
  weather: WeatherMonthRef[],
): OpsCell[] {
  return [
    ...months.map(({ source: file, ...month }) => ({
      source: FLIGHTS,
      ...month,
      ...(file !== undefined && { file }),
    })),
    ...levelCells(levels),
    ...[...Map.groupBy(weather, ({ source }) => source)].flatMap(([source, held]) =>
      heldCells(`weather: ${source}`, held),
    ),
  ];
}

/** Months of the table come by the hundred from one file: what is not said of one of them holds for all. */
function levelCells({ first, last, missing, pending, damaged, refused }: LevelStatus): OpsCell[] {
  const known = [first, last, ...pending, ...damaged, ...refused.map(({ month }) => month)]
    .filter((month) => month !== undefined)
    .toSorted();
  const [from, to] = [known.at(0), known.at(-1)];
  if (from === undefined || to === undefined) return [];
  return monthsBetween(from, to).map((month) => {
    const refusal = refused.find((one) => one.month === month);
    const isHeld = first !== undefined && last !== undefined && month >= first && month <= last;
    const held = isHeld && !missing.includes(month) ? 'loaded' : 'missing';
    const state = damaged.includes(month)
      ? 'damaged'
      : pending.includes(month)
        ? 'pending'
        : held === 'missing' && refusal
          ? 'refused'
          : held;
    return {
      source: LEVELS,
      month,
      state,
      ...(refusal && { refusedFile: refusal.file }),
      ...(refusal?.why !== undefined && { refusedWhy: refusal.why }),
    };
  });
}

function heldCells(source: string, held: WeatherMonthRef[]): OpsCell[] {
  const months = new Set(held.map(({ month }) => month));
  const [first = '', last = ''] = [[...months].at(0), [...months].at(-1)];
  return monthsBetween(first, last).map((month) => ({
    source,
    month,
    state: months.has(month) ? 'loaded' : 'missing',
  }));
}
