import type { FindMonthsDeps } from '../../pipelines/flights/find-months.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { readManifests, readValidManifest } from '../../warehouse/lake/lake.ts';
import { listMonthsWithVersions } from '../../warehouse/lake/versions.ts';
import { listWeatherMonths } from '../../warehouse/lake/weather-lake.ts';
import type { DataPaths } from '../../warehouse/paths.ts';

/** The form of the history that ships with the code; no operator requested its months. */
const SHIPPED_FORM = 'route_hours';
const ARCHIVE = 'archive';

/** Returns the effects for searching for new months. */
export function createFindMonths(
  { lakeDir }: Pick<DataPaths, 'lakeDir'>,
  base: string | undefined,
  now: () => Date,
): FindMonthsDeps {
  return {
    base,
    get: createHttpGet(),
    now,
    readCoverage: async () => {
      const manifests = await readManifests(lakeDir, readValidManifest);
      const months = manifests.map(({ month }) => month);
      const monthsWithVersions = await listMonthsWithVersions(lakeDir);
      const weather = await listWeatherMonths(lakeDir);
      return {
        months,
        ownMonths: manifests
          .filter(({ source }) => source.form !== SHIPPED_FORM)
          .map(({ month }) => month),
        droppedMonths: monthsWithVersions
          .filter(({ month, tree }) => tree === 'flights' && !months.includes(month))
          .map(({ month }) => month),
        weatherMonths: weather.filter(({ source }) => source === ARCHIVE).map(({ month }) => month),
      };
    },
  };
}
