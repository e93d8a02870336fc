import { sum } from '../../../warehouse/ground/sum.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { LevelConflict } from '../../../warehouse/build/reports.ts';
import type { LevelManifest } from '../../../warehouse/lake/level-lake.ts';
import type { LoadedMonth } from '../../../warehouse/snapshot.ts';
import { count } from '../tables.ts';
import { isSince, type Refusal } from './refusals.ts';

/** The delay-cause table: what of it is held, without a line for each of its months. */
export type LevelStatus = {
  /** First and last month loaded, `YYYY-MM`; absent where none is. */
  first?: string;
  last?: string;
  months: number;
  rows: number;
  /** Months between the first and the last that are not loaded. */
  missing: string[];
  /** Months of the lake that the warehouse does not hold, or not as they are now. */
  pending: string[];
  /** Months whose manifest in the lake is not what was written. */
  damaged: string[];
  /** Months whose last file was refused; what was there stays. */
  refused: { month: string; file: string; why?: string }[];
  /** Where flights and the table disagreed at the last build. */
  conflicts: LevelConflict[];
};

/** Where the delay-cause table stands. */
export function levelStatus(
  { manifests, damaged }: { manifests: LevelManifest[]; damaged: string[] },
  loaded: LoadedMonth[],
  conflicts: LevelConflict[],
  refusals: Map<string, Refusal>,
): LevelStatus {
  const months = loaded.map(({ month }) => month);
  const [first, last] = [months.at(0), months.at(-1)];
  const isLoaded = ({ month, extractedAt }: LevelManifest) =>
    loaded.some(
      (held) => held.month === month && Date.parse(held.extractedAt) === Date.parse(extractedAt),
    );
  return {
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
    months: months.length,
    rows: sum(loaded.map(({ rows }) => rows)),
    missing: (first && last ? monthsBetween(first, last) : []).filter(
      (month) => !months.includes(month),
    ),
    pending: manifests.filter((one) => !isLoaded(one)).map(({ month }) => month),
    damaged,
    refused: [...refusals]
      .filter(([month, one]) =>
        isSince(
          one,
          manifests.find((held) => held.month === month),
        ),
      )
      .map(([month, { file, why }]) => ({ month, file, ...(why !== undefined && { why }) })),
    conflicts,
  };
}

/** The lines on the table for a person at a terminal: one, and one for each form of flights in conflict. */
export function levelLines(levels: LevelStatus): string[] {
  const { first, last, months, rows, missing, pending, damaged, refused, conflicts } = levels;
  const held =
    first === undefined
      ? 'no months of the delay-cause table yet: make ingest FILE=path'
      : `${count(months)} months of the delay-cause table, ${first} to ${last}, ${count(rows)} rows`;
  const notes = [
    ...(missing.length > 0 ? [`missing: ${some(missing)}`] : []),
    ...(pending.length > 0 ? [`in the lake, not loaded: ${some(pending)}`] : []),
    ...(damaged.length > 0 ? [`damaged in the lake, ingest again: ${some(damaged)}`] : []),
  ];
  return [
    `Levels   ${[held, ...notes].join('; ')}`,
    ...(refused.length > 0 ? [refusedLine(refused)] : []),
    ...conflicts.map(conflictLine),
  ];
}

/** One line however many there are, with the reason of the last. */
function refusedLine(refused: LevelStatus['refused']): string {
  const { file, why = 'more than 1 % of its rows are bad' } = refused.at(-1) ?? { file: '' };
  const months = some(refused.map(({ month }) => month).toSorted());
  return `         refused, what was there stays: ${months}; last ${file}: ${why}`;
}

function conflictLine(conflict: LevelConflict): string {
  const { form, firstMonth, lastMonth, compared, conflicts, flightShare } = conflict;
  const span = firstMonth === lastMonth ? firstMonth : `${firstMonth} to ${lastMonth}`;
  const { carrier, airport, month, source, flights, flightsTold, late, lateTold } = conflict;
  const lateness = late === null ? '' : `, late ${count(late)} and ${count(lateTold)}`;
  return [
    `         ${form} and the table differ by over 2 % in ${span}: ${count(conflicts)} of ${count(compared)} months of whole`,
    `airlines at airports, ${(100 * flightShare).toFixed(1)} % of their flights; most ${carrier} at ${airport} in ${month}:`,
    `${count(flights)} flights in ${source}, ${count(flightsTold)} in the table${lateness}`,
  ].join(' ');
}

function some(months: string[]): string {
  const [first, last] = [months[0], months.at(-1)];
  return months.length <= 3
    ? months.join(', ')
    : `${count(months.length)} from ${first} to ${last}`;
}
