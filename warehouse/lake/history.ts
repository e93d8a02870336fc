import { sum } from '../ground/sum.ts';
import type { MonthManifest } from './lake.ts';
import { sha256 } from '../ground/sha256.ts';

/** What a lake holds, in short. */
export type LakeHistory = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  /** Flights, and of months of aggregates rows of their source. */
  rows: number;
  /** Of the months and what each came from: equal hashes, equal history. */
  sha256: string;
};

/** The history of these months, ascending. */
export function historyOf(manifests: MonthManifest[]): LakeHistory {
  return {
    months: manifests.map(({ month }) => month),
    rows: sum(manifests.map(({ rows }) => rows.loaded)),
    sha256: historySha256(manifests.map(({ month, source }) => ({ month, source: source.sha256 }))),
  };
}

/** SHA-256 of months (`YYYY-MM`, ascending), each with that of the source it came from. */
export function historySha256(months: { month: string; source: string }[]): string {
  return sha256(JSON.stringify(months.map(({ month, source }) => ({ month, source }))));
}
