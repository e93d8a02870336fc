import { sum } from '../../../warehouse/ground/sum.ts';
import { surveyLake } from '../../../warehouse/lake/lake.ts';
import { listLakeProviders, providerLakeDir } from '../../../warehouse/paths.ts';
import { count } from '../tables.ts';

/** The months that the lake has of a provider other than BTS. */
export type ProviderStatus = {
  name: string;
  months: number;
  /** First and last month, `YYYY-MM`; absent if all months are damaged. */
  first?: string;
  last?: string;
  /** Flights or, for counts, rows. */
  rows: number;
  damaged: string[];
};

/** Returns the months of each provider other than BTS, in the order of their names. */
export async function providerStatuses(lakeDir: string): Promise<ProviderStatus[]> {
  const statuses: ProviderStatus[] = [];
  for (const name of await listLakeProviders(lakeDir)) {
    const { manifests, damaged } = await surveyLake(providerLakeDir(lakeDir, name));
    if (manifests.length + damaged.length === 0) continue;
    const [first, last] = [manifests.at(0)?.month, manifests.at(-1)?.month];
    statuses.push({
      name,
      months: manifests.length,
      ...(first !== undefined && { first }),
      ...(last !== undefined && { last }),
      rows: sum(manifests.map(({ rows }) => rows.loaded)),
      damaged,
    });
  }
  return statuses;
}

/** Formats the other providers, one per line. */
export function providerLines(statuses: ProviderStatus[]): string[] {
  return statuses.map(({ name, months, first, last, rows, damaged }, at) => {
    const loaded = `${name}: ${count(months)} months, ${first ?? '–'} to ${last ?? '–'}, ${count(rows)} rows`;
    const note = damaged.length > 0 ? `; damaged, load the file again: ${damaged.join(', ')}` : '';
    return `${at === 0 ? 'Others ' : '       '}  ${loaded}${note}`;
  });
}
