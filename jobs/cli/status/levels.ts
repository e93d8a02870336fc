import { sum } from '../../../warehouse/ground/numbers.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { LevelConflict } from '../../../warehouse/build/reports.ts';
import type { LevelManifest } from '../../../warehouse/lake/level-lake.ts';
import type { LoadedMonth } from '../../../warehouse/snapshot.ts';
import { count, countOf } from '../tables.ts';
import { isNewerThan, type Refusal } from './refusals.ts';

/** Status of the delay-cause table as a whole. */
export type LevelStatus = {
  /** First and last loaded month, `YYYY-MM`; absent if no month is loaded. */
  first?: string;
  last?: string;
  months: number;
  rows: number;
  /** Months that are not loaded, between the first and the last loaded month. */
  missing: string[];
  /** Months of the lake whose current version is not in the warehouse. */
  pending: string[];
  /** Months whose manifest in the lake is damaged. */
  damaged: string[];
  /** Months whose last file was refused; a loaded version of the month is unchanged. */
  refused: { month: string; file: string; why?: string }[];
  /** Differences between flights and the table at the last build. */
  conflicts: LevelConflict[];
};

/** Returns the status of the delay-cause table. */
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
      (other) => other.month === month && Date.parse(other.extractedAt) === Date.parse(extractedAt),
    );
  return {
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
    months: months.length,
    rows: sum(loaded.map(({ rows }) => rows)),
    missing: (first && last ? monthsBetween(first, last) : []).filter(
      (month) => !months.includes(month),
    ),
    pending: manifests.filter((manifest) => !isLoaded(manifest)).map(({ month }) => month),
    damaged,
    refused: [...refusals]
      .filter(([month, refusal]) =>
        isNewerThan(
          refusal,
          manifests.find((manifest) => manifest.month === month),
        ),
      )
      .map(([month, { file, why }]) => ({ month, file, ...(why !== undefined && { why }) })),
    conflicts,
  };
}

/** Formats the status of the table: a summary, a line for refused months, and a line for each conflict with flights. */
export function levelLines(levels: LevelStatus): string[] {
  const { first, last, months, rows, missing, pending, damaged, refused, conflicts } = levels;
  const loaded =
    first === undefined
      ? 'no months of the delay-cause table yet: make ingest FILE=path'
      : `${countOf(months, 'month')} of the delay-cause table, ${first} to ${last}, ${countOf(rows, 'row')}`;
  const notes = [
    ...(missing.length > 0 ? [`missing: ${listMonths(missing)}`] : []),
    ...(pending.length > 0 ? [`in the lake, not loaded: ${listMonths(pending)}`] : []),
    ...(damaged.length > 0
      ? [`damaged in the lake, load the file again: ${listMonths(damaged)}`]
      : []),
  ];
  return [
    `Levels   ${[loaded, ...notes].join('; ')}`,
    ...(refused.length > 0 ? [refusedLine(refused)] : []),
    ...conflicts.map(conflictLine),
  ];
}

/** Formats all refused months in one line, with the reason of the last one. */
function refusedLine(refused: LevelStatus['refused']): string {
  const { file, why = 'more than 1 % of its rows are rejected' } = refused.at(-1) ?? { file: '' };
  const months = listMonths(refused.map(({ month }) => month).toSorted());
  return `         refused, so unchanged: ${months}; last file ${file}: ${why}`;
}

function conflictLine(conflict: LevelConflict): string {
  const { form, firstMonth, lastMonth, compared, conflicts, flightShare } = conflict;
  const span = firstMonth === lastMonth ? firstMonth : `${firstMonth} to ${lastMonth}`;
  const { carrier, airport, month, source, flights, flightsTold, late, lateTold } = conflict;
  const lateness = late === null ? '' : `; ${count(late)} and ${count(lateTold)} of them are late`;
  return [
    `         ${form} and the table differ by more than 2 % in ${span}: ${count(conflicts)} of ${count(compared)} months`,
    `of an airline at an airport, with ${(100 * flightShare).toFixed(1)} % of the flights. Largest difference: ${carrier} at ${airport} in ${month} has`,
    `${countOf(flights, 'flight')} in ${source} and ${count(flightsTold)} in the table${lateness}`,
  ].join(' ');
}

function listMonths(months: string[]): string {
  const [first, last] = [months[0], months.at(-1)];
  return months.length <= 3
    ? months.join(', ')
    : `${count(months.length)} from ${first} to ${last}`;
}
