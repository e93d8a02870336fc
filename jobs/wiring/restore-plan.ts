import { describeLosses } from '../../pipelines/flights/losses.ts';
import { compareVersion, readLakeExtent } from '../../warehouse/extract/replacement.ts';
import { periodText, type Period } from '../../warehouse/ground/period.ts';
import type { MonthExtent } from '../../warehouse/extract/staged-month.ts';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import {
  listVersions,
  periodOf,
  verifyVersions,
  type MonthRef,
  type MonthVersion,
} from '../../warehouse/lake/versions.ts';

/** A former version that could be restored. */
export type FormerVersion = Pick<MonthVersion, 'id'> & {
  source: string;
  form: string;
  rows: number;
  isDamaged: boolean;
};

/** The changes that a restore of a month, or of the counts of a whole year, would make. */
export type RestorePlan = MonthRef & {
  /** The current version; absent if the month is damaged or not in the lake. */
  current?: MonthExtent;
  /** Newest first. */
  versions: FormerVersion[];
  /** The version to restore; absent if no version can be restored. */
  version?: string;
  /** Why nothing is restored. */
  problem?: string;
  /** The losses that the restore would cause. If there are any, only `force` restores the version. */
  losses: string[];
};

/**
 * Plans the restore of the requested version of a month. If no version is requested, chooses the newest undamaged
 * version that was extracted before the current one. Each repeated restore thus goes further back. A restore of a month
 * ignores versions with the counts of a whole year. A restore of a year ignores versions with the counts of a month.
 * Changes nothing.
 */
export async function planRestore(
  lakeDir: string,
  ref: MonthRef & Period,
  requested: string | undefined,
): Promise<RestorePlan> {
  const manifest = await currentManifest(lakeDir, ref);
  const current = await readLakeExtent(lakeDir, ref);
  // The counts of a whole year are stored as December of this year. A provider's December can therefore have former
  // versions of two kinds: some have the counts of the month, others have the counts of the whole year.
  const stored = (await listVersions(lakeDir, ref, manifest)).filter(
    (one) => periodOf(one.manifest) === ref.periodMonths,
  );
  const { damaged } = await verifyVersions(lakeDir, ref);
  const plan = {
    ...ref,
    ...(current && { current }),
    versions: stored.map(({ id, manifest: { source, rows } }) => ({
      id,
      source: source.name,
      form: source.form,
      rows: rows.loaded,
      isDamaged: damaged.includes(id),
    })),
    losses: [],
  };
  const isBefore = (one: MonthVersion) =>
    current === undefined || !manifest || one.manifest.extractedAt < manifest.extractedAt;
  const version =
    requested === undefined
      ? stored.find((one) => isBefore(one) && !damaged.includes(one.id))
      : stored.find(({ id }) => id === requested);
  if (version === undefined) return { ...plan, problem: missingText(ref, stored, requested) };
  if (damaged.includes(version.id)) {
    return { ...plan, problem: `version ${version.id} of ${periodText(ref)} is damaged` };
  }
  const comparison = await compareVersion(lakeDir, ref, version);
  const losses = comparison ? describeLosses(comparison) : [];
  return { ...plan, version: version.id, losses };
}

function missingText(
  ref: Period,
  stored: readonly MonthVersion[],
  requested: string | undefined,
): string {
  const name = periodText(ref);
  const ids = stored.map(({ id }) => id).join(', ');
  if (stored.length === 0) return `${name} has no former version`;
  return requested === undefined
    ? `${name} has no intact version older than the current one; VERSION= restores one of these: ${ids}`
    : `${name} has no version ${requested}; its versions are ${ids}`;
}
