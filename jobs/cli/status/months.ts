import type { Run } from '../../../warehouse/lake/ledger.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import { monthsOfPeriod } from '../../../warehouse/ground/period.ts';
import type { LakeSurvey, MonthManifest } from '../../../warehouse/lake/lake.ts';
import type { Completeness, LoadedMonth } from '../../../warehouse/snapshot.ts';
import type { MonthState } from '../../../warehouse/live/month-states.ts';
import { isNewerThan, lastRefusals } from './refusals.ts';

export type MonthStatus = {
  /** `YYYY-MM`. */
  month: string;
  /** Set to 12 if the figures are the counts of a whole year. */
  periodMonths?: 12;
  /** Name of the provider; absent for the American record. */
  provider?: string;
  state: MonthState;
  /** Rows of the source: flights, or aggregates of flights. Absent if the lake does not have the month. */
  rows?: number;
  /** Scheduled flights in the warehouse. */
  flights?: number;
  /** Completeness of the month; absent if the month is not loaded. */
  completeness?: Completeness;
  rejected?: number;
  source?: string;
  /** The file that was refused for this month after the current file was read. */
  refusedFile?: string;
  refusedWhy?: string;
};

/**
 * Returns the status of every month from the first known month to the last known month. A month is known if it is in
 * the lake, is loaded or was refused. The months are of the American record, or of `provider`. Leaves out January to
 * November of years that are loaded as a whole.
 */
export function monthStatuses(
  { manifests, damaged }: LakeSurvey,
  loaded: LoadedMonth[],
  runs: Run[],
  provider?: string,
): MonthStatus[] {
  const refusals = lastRefusals(runs, 'flights', provider);
  const counted = new Set(manifests.filter((one) => one.periodMonths === 12).flatMap(otherMonths));
  const names = [
    ...manifests.map(({ month }) => month),
    ...damaged,
    ...loaded.map(({ month }) => month),
    ...refusals.keys(),
  ].toSorted();
  const [first, last] = [names.at(0), names.at(-1)];
  if (first === undefined || last === undefined) return [];
  const months = monthsBetween(first, last).filter((month) => !counted.has(month));
  return months.map((month) => {
    const manifest = manifests.find((candidate) => candidate.month === month);
    const loadedMonth = loaded.find((candidate) => candidate.month === month);
    const refusal = refusals.get(month);
    const isNewer = refusal && isNewerThan(refusal, manifest);
    return {
      month,
      state: damaged.includes(month)
        ? 'damaged'
        : stateOf(manifest, loadedMonth, refusal !== undefined),
      ...(provider !== undefined && { provider }),
      ...(manifest?.periodMonths && { periodMonths: manifest.periodMonths }),
      ...(manifest && sourceOf(manifest)),
      ...(loadedMonth?.flights !== undefined && { flights: loadedMonth.flights }),
      ...(loadedMonth?.completeness && { completeness: loadedMonth.completeness }),
      ...(isNewer && { refusedFile: refusal.file }),
      ...(isNewer && refusal.why !== undefined && { refusedWhy: refusal.why }),
    };
  });
}

/** The status of one month. `inYear` is the year whose counts the lake uses instead of the month's counts. */
export type OneMonthStatus = MonthStatus & { inYear?: string };

/**
 * Returns the status of one month. If the lake uses the counts of the whole year, the month has the state of the year.
 */
export function statusOfMonth(
  survey: LakeSurvey,
  loaded: LoadedMonth[],
  runs: Run[],
  { month, provider }: { month: string; provider: string | undefined },
): OneMonthStatus {
  const statuses = monthStatuses(survey, loaded, runs, provider);
  const find = (name: string) => statuses.find((status) => status.month === name);
  const year = survey.manifests.find((manifest) => otherMonths(manifest).includes(month));
  const missing = { month, ...(provider !== undefined && { provider }), state: 'missing' as const };
  if (year === undefined) return find(month) ?? missing;
  const own = survey.manifests.find((manifest) => manifest.month === month);
  return {
    ...missing,
    state: find(year.month)?.state ?? 'pending',
    inYear: month.slice(0, 4),
    ...(own && sourceOf(own)),
  };
}

function sourceOf({ rows, source }: MonthManifest) {
  return { rows: rows.loaded, rejected: rows.rejected, source: source.name };
}

/** Lists the months of a year that is loaded as a whole. The counts of the year are stored under its December. */
function otherMonths(manifest: MonthManifest): string[] {
  return monthsOfPeriod(manifest).filter((month) => month !== manifest.month);
}

function stateOf(
  manifest: MonthManifest | undefined,
  loaded: LoadedMonth | undefined,
  isRefused: boolean,
): MonthState {
  if (manifest) {
    const isSame = loaded && Date.parse(loaded.extractedAt) === Date.parse(manifest.extractedAt);
    return isSame && loaded.sourceSha256 === manifest.source.sha256 ? 'loaded' : 'pending';
  }
  if (loaded) return 'unbacked';
  return isRefused ? 'refused' : 'missing';
}
