import { datesText } from '../../../warehouse/ground/period.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { surveyLake } from '../../../warehouse/lake/lake.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import {
  listLakeProviders,
  providerLakeDir,
  providerPaths,
  type DataPaths,
} from '../../../warehouse/paths.ts';
import { readSnapshot } from '../../../warehouse/snapshot.ts';
import type { MonthState } from '../../../warehouse/live/month-states.ts';
import { readAccuracy } from '../../wiring/record-accuracy-steps.ts';
import { count, countOf } from '../tables.ts';
import { monthStatuses, type MonthStatus } from './months.ts';

/** The months and years of a provider other than BTS. Months without data are left out. */
export type ProviderStatus = {
  name: string;
  months: MonthStatus[];
  /**
   * The reason why the forecasts for this provider are not better than simple forecasts. Absent if they are better, or
   * if their accuracy is unknown.
   */
  inaccurate?: string;
};

/** Returns the months of each provider other than BTS, in the order of their names. */
export async function providerStatuses(
  paths: DataPaths,
  extracts: Run[],
): Promise<ProviderStatus[]> {
  const names = await listLakeProviders(paths.lakeDir);
  const statuses = await Promise.all(
    names.map(async (name) => {
      const survey = await surveyLake(providerLakeDir(paths.lakeDir, name));
      const own = providerPaths(paths, name);
      const loaded = await readSnapshot(own);
      const months = monthStatuses(survey, loaded, extracts, name);
      const accuracy = await readAccuracy(own);
      return {
        name,
        months: months.filter(({ state }) => state !== 'missing'),
        ...(accuracy?.state === 'failed' && { inaccurate: accuracy.why }),
      };
    }),
  );
  return statuses.filter(({ months }) => months.length > 0);
}

/** Formats the other providers, one per line. */
export function providerLines(statuses: ProviderStatus[]): string[] {
  return statuses.map(({ name, months, inaccurate }, at) => {
    const years = months.filter(({ periodMonths }) => periodMonths === 12);
    const single = months.filter(({ periodMonths, rows }) => periodMonths !== 12 && rows);
    const facts = [
      ...(years.length > 0 ? [`${countOf(years.length, 'year')}, ${rangeOf(years)}`] : []),
      ...(single.length > 0 ? [`${countOf(single.length, 'month')}, ${rangeOf(single)}`] : []),
      `${count(sum(months.map(({ rows = 0 }) => rows)))} rows`,
      ...listState(months, 'pending', 'not loaded yet, make features'),
      ...listState(months, 'damaged', 'damaged, load the file again'),
      ...refusedText(name, months),
      ...(inaccurate === undefined ? [] : [`accuracy failed: ${inaccurate}`]),
    ];
    return `${at === 0 ? 'Others ' : '       '}  ${name}: ${facts.join('; ')}`;
  });
}

function rangeOf(months: readonly MonthStatus[]): string {
  const names = months.map(datesText);
  return names.length === 1 ? `${names[0]}` : `${names[0]} to ${names.at(-1)}`;
}

function listState(months: readonly MonthStatus[], state: MonthState, what: string): string[] {
  const names = months.filter((month) => month.state === state).map(datesText);
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
}

/** Names the months whose last file was refused, and the command that shows why. */
function refusedText(name: string, months: readonly MonthStatus[]): string[] {
  const refused = months.filter(({ refusedFile }) => refusedFile !== undefined);
  const [first] = refused;
  if (!first) return [];
  const help = `make status PROVIDER=${name} MONTH=${datesText(first)}`;
  return [`refused: ${refused.map(datesText).join(', ')} (${help})`];
}
