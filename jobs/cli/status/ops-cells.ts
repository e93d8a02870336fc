import type { LevelStatus } from './levels.ts';
import type { MonthStatus } from './months.ts';
import type { ProviderStatus } from './providers.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { WeatherMonthRef } from '../../../warehouse/lake/weather-lake.ts';
import type { OpsCell } from '../../../warehouse/live/ops-summary.ts';

export const FLIGHTS = 'flights';
const LEVELS = 'delay causes';

/**
 * For each source (flights, delay causes, weather), returns a cell for each month from the first to the last month of
 * the source. For other providers, returns a cell for each month or year with data.
 */
export function opsCells(
  months: MonthStatus[],
  levels: LevelStatus,
  weather: WeatherMonthRef[],
  providers: ProviderStatus[] = [],
): OpsCell[] {
  return [
    ...months.map((month) => flightCell(month, FLIGHTS)),
    ...providers.flatMap(({ name, months: own }) => own.map((month) => flightCell(month, name))),
    ...levelCells(levels),
    ...[...Map.groupBy(weather, ({ source }) => source)].flatMap(([source, refs]) =>
      weatherCells(`weather: ${source}`, refs),
    ),
  ];
}

function flightCell({ source: file, provider: _, ...month }: MonthStatus, source: string): OpsCell {
  return { source, ...month, ...(file !== undefined && { file }) };
}

/**
 * Returns the cells of the delay-cause table. One file contains hundreds of months, so cells have no file and no
 * counts.
 */
function levelCells({ first, last, missing, pending, damaged, refused }: LevelStatus): OpsCell[] {
  const names = [first, last, ...pending, ...damaged, ...refused.map(({ month }) => month)]
    .filter((month) => month !== undefined)
    .toSorted();
  const [from, to] = [names.at(0), names.at(-1)];
  if (from === undefined || to === undefined) return [];
  return monthsBetween(from, to).map((month) => {
    const refusal = refused.find((candidate) => candidate.month === month);
    const isInRange = first !== undefined && last !== undefined && month >= first && month <= last;
    const loadState = isInRange && !missing.includes(month) ? 'loaded' : 'missing';
    const state = damaged.includes(month)
      ? 'damaged'
      : pending.includes(month)
        ? 'pending'
        : loadState === 'missing' && refusal
          ? 'refused'
          : loadState;
    return {
      source: LEVELS,
      month,
      state,
      ...(refusal && { refusedFile: refusal.file }),
      ...(refusal?.why !== undefined && { refusedWhy: refusal.why }),
    };
  });
}

function weatherCells(source: string, refs: WeatherMonthRef[]): OpsCell[] {
  const months = new Set(refs.map(({ month }) => month));
  const [first = '', last = ''] = [[...months].at(0), [...months].at(-1)];
  return monthsBetween(first, last).map((month) => ({
    source,
    month,
    state: months.has(month) ? 'loaded' : 'missing',
  }));
}
