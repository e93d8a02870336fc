import path from 'node:path';
import { isMonth } from '../../pipelines/flights/months.ts';
import { PROVIDERS } from '../../pipelines/providers/index.ts';
import { datesText, periodText, type Period } from '../../warehouse/ground/period.ts';
import { statIfExists } from '../../warehouse/ground/files.ts';
import { monthDir } from '../../warehouse/lake/lake.ts';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import { listVersions, periodOf, type MonthRef } from '../../warehouse/lake/versions.ts';
import { HOME_PROVIDER, providerLakeDir } from '../../warehouse/paths.ts';
import { CommandError } from '../errors.ts';
import { parseMonthList } from './month-list.ts';

/** Months as typed on the command line: `MONTH=`, `PROVIDER=` and `LEVELS=1`. */
export type MonthOptions = { month: string; provider?: string; levels?: boolean };

/** A month, or the counts of a whole year, that a command changes. */
export type UndoTarget = MonthRef & Pick<Period, 'periodMonths'>;

/**
 * Returns the months and years that a command names. A year, such as `2019`, means the counts of the whole year. The
 * lake stores these counts in the place of December. Throws `CommandError` if the text or the provider is invalid.
 */
export function undoTargets({ month, provider: name, levels = false }: MonthOptions): UndoTarget[] {
  const provider = checkProvider(name);
  if (provider === undefined) {
    return parseMonthList(month).map((one) => ({
      month: one,
      tree: levels ? 'levels' : 'flights',
    }));
  }
  if (levels) {
    throw new CommandError(
      'LEVELS=1 is for the delay-cause table, which only BTS publishes; remove PROVIDER=',
    );
  }
  const targets = month.split(',').flatMap((part): UndoTarget[] => {
    if (isMonth(`${part}-12`)) {
      return [{ month: `${part}-12`, tree: 'flights', provider, periodMonths: 12 }];
    }
    return parseMonthList(part).map((one) => ({ month: one, tree: 'flights', provider }));
  });
  return [...new Map(targets.map((target) => [periodText(target), target])).values()];
}

/** Returns the name of another provider; undefined for BTS, whose months need no name. */
export function checkProvider(name: string | undefined): string | undefined {
  if (name === undefined || name === HOME_PROVIDER) return undefined;
  if (PROVIDERS.some((provider) => provider.name === name)) return name;
  const names = PROVIDERS.map((provider) => provider.name).join(', ');
  throw new CommandError(`No provider has the name "${name}". PROVIDER= can be ${names}`);
}

/** Returns the folder of the provider's lake. Without a provider, this is the lake of BTS. */
export function lakeOf(lakeDir: string, { provider = HOME_PROVIDER }: MonthRef): string {
  return providerLakeDir(lakeDir, provider);
}

/**
 * Throws `CommandError` if the command names a month, but the lake has only the counts of the whole year, or the
 * reverse. For a restore, a former version with the right period is enough.
 */
export async function checkPeriod(
  lakeDir: string,
  target: UndoTarget,
  command: 'drop' | 'restore',
): Promise<void> {
  const own = lakeOf(lakeDir, target);
  const current = await currentManifest(own, target);
  const former = await listVersions(own, target, current);
  const manifests = [
    ...(current ? [current] : []),
    ...(current && command === 'drop' ? [] : former.map(({ manifest }) => manifest)),
  ];
  if (manifests.length === 0) {
    // The month can be dropped although its manifest is damaged and cannot be read.
    const manifestFile = path.join(monthDir(own, target.month, target.tree), 'manifest.json');
    if (command === 'drop' && (await statIfExists(manifestFile))) return;
    throw new CommandError(`${periodText(target)} is not in the lake`);
  }
  if (manifests.some((manifest) => periodOf(manifest) === target.periodMonths)) return;
  const { provider, month } = target;
  const year = month.slice(0, 4);
  throw new CommandError(
    target.periodMonths === 12
      ? `${provider} has no counts for the whole year ${year}. For its months: MONTH=${year}-01..${year}-12`
      : `${provider} has ${datesText(target)} only in the counts of the whole year: MONTH=${year}`,
  );
}
