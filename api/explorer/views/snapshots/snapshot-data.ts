import type {
  SnapshotColumn,
  SnapshotFile,
  SnapshotProvider,
} from '../../../../warehouse/snapshots/snapshots.ts';

/** A snapshot that visitors can download. */
export type OfferedSnapshot = {
  version: string;
  /** Month of the forecasts, `YYYY-MM`. */
  month: string;
  /** ISO. */
  created_at: string;
  store_version: string;
  model_version: string | null;
  rows: number;
  columns: SnapshotColumn[];
  files: (SnapshotFile & { address: string })[];
  /** Names of files that cannot be downloaded, because they are missing or damaged. */
  damaged: string[];
  providers: SnapshotProvider[];
  /** Providers that the snapshot leaves out, because their figures must not be passed on. */
  left_out: SnapshotProvider[];
};

export type DataPageData = { snapshots: OfferedSnapshot[] };

/** Returns the address of a file of a snapshot. */
export function fileAddress(version: string, name: string): string {
  return `/data/${version}/${name}`;
}
