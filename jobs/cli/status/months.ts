import type { Run } from '../../../warehouse/lake/ledger.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { LakeSurvey, MonthManifest } from '../../../warehouse/lake/lake.ts';
import type { LoadedMonth } from '../../../warehouse/snapshot.ts';
import type { MonthState } from '../../../warehouse/live/month-states.ts';
import { isSince, lastRefusals } from './refusals.ts';

export type MonthStatus = {
  /** `YYYY-MM`. */
  month: string;
  state: MonthState;
  /** Flights or, of aggregates, rows of the source; absent when nothing is held. */
  rows?: number;
  /** Scheduled flights that the warehouse holds of it. */
  flights?: number;
  rejected?: number;
  source?: string;
  /** The file that was refused for this month after what is held was read. */
  refusedFile?: string;
  refusedWhy?: string;
};

/** Every month from the first to the last that anything is known of, and where it stands. */
export function monthStatuses(
  { manifests, damaged }: LakeSurvey,
  loaded: LoadedMonth[],
  runs: Run[],
): MonthStatus[] {
  const refusals = lastRefusals(runs, 'flights');
  const known = [
    ...manifests.map(({ month }) => month),
    ...damaged,
    ...loaded.map(({ month }) => month),
    ...refusals.keys(),
  ].toSorted();
  const [first, last] = [known.at(0), known.at(-1)];
  if (first === undefined || last === undefined) return [];
  return monthsBetween(first, last).map((month) => {
    const manifest = manifests.find((one) => one.month === month);
    const held = loaded.find((one) => one.month === month);
    const refusal = refusals.get(month);
    const isNewer = refusal && isSince(refusal, manifest);
    return {
      month,
      state: damaged.includes(month) ? 'damaged' : stateOf(manifest, held, refusal !== undefined),
      ...(manifest && {
        rows: manifest.rows.loaded,
        rejected: manifest.rows.rejected,
        source: manifest.source.name,
      }),
      ...(held?.flights !== undefined && { flights: held.flights }),
      ...(isNewer && { refusedFile: refusal.file }),
      ...(isNewer && refusal.why !== undefined && { refusedWhy: refusal.why }),
    };
  });
}

function stateOf(
  manifest: MonthManifest | undefined,
  held: LoadedMonth | undefined,
  isRefused: boolean,
): MonthState {
  if (manifest) {
    const isSame = held && Date.parse(held.extractedAt) === Date.parse(manifest.extractedAt);
    return isSame && held.sourceSha256 === manifest.source.sha256 ? 'loaded' : 'pending';
  }
  if (held) return 'unbacked';
  return isRefused ? 'refused' : 'missing';
}
