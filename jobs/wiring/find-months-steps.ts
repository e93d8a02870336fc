import type { FindMonthsDeps } from '../../pipelines/flights/find-months.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { readManifests, soundManifest } from '../../warehouse/lake/lake.ts';
import { monthsWithVersions } from '../../warehouse/lake/versions.ts';
import { weatherMonths } from '../../warehouse/lake/weather-lake.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** The form of the history that ships with the code; it has months that nobody asked for. */
const SHIPPED_FORM = 'route_hours';
const ARCHIVE = 'archive';

/** How a worker looks for the months that came out. */
export function createFindMonths(
  { lakeDir }: Pick<DataPaths, 'lakeDir'>,
  base: string | undefined,
  now: () => Date,
): FindMonthsDeps {
  return {
    base,
    get: createHttpGet(),
    now,
    lake: async () => {
      const manifests = await readManifests(lakeDir, soundManifest);
      const held = manifests.map(({ month }) => month);
      const kept = await monthsWithVersions(lakeDir);
      const weather = await weatherMonths(lakeDir);
      return {
        held,
        own: manifests
          .filter(({ source }) => source.form !== SHIPPED_FORM)
          .map(({ month }) => month),
        dropped: kept
          .filter(({ month, tree }) => tree === 'flights' && !held.includes(month))
          .map(({ month }) => month),
        weather: weather.filter(({ source }) => source === ARCHIVE).map(({ month }) => month),
      };
    },
  };
}
