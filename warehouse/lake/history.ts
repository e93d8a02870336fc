import { sum } from '../ground/numbers.ts';
import type { MonthManifest } from './lake.ts';
import { sha256 } from '../ground/hashes.ts';

/** A summary of the months in a lake. */
export type LakeHistory = {
  /** `YYYY-MM`, ascending. */
  months: string[];
  /** Number of flights or, for aggregated sources, of rows. */
  rows: number;
  /** Hash of the months and their sources. Equal histories have equal hashes. */
  sha256: string;
};

/** Summarises months, which must be in ascending order. */
export function historyOf(manifests: MonthManifest[]): LakeHistory {
  return {
    months: manifests.map(({ month }) => month),
    rows: sum(manifests.map(({ rows }) => rows.loaded)),
    sha256: historySha256(manifests.map(({ month, source }) => ({ month, source: source.sha256 }))),
  };
}

/** Returns one SHA-256 for several months. It covers each month (`YYYY-MM`, ascending) and the sha256 of its source. */
export function historySha256(months: { month: string; source: string }[]): string {
  return sha256(JSON.stringify(months.map(({ month, source }) => ({ month, source }))));
}
