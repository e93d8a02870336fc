import type { FindMonthsDeps } from '../../pipelines/flights/find-months.ts';
import type { MonthServer } from '../../pipelines/flights/month-source.ts';
import { btsFileName, type BtsTable } from '../../pipelines/flights/months.ts';
import type { ExtractReport } from '../../pipelines/flights/types.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { listDropped } from '../../warehouse/lake/dropped.ts';
import { readManifests, readValidManifest, type MonthManifest } from '../../warehouse/lake/lake.ts';
import { ledgerFiles, newestRuns } from '../../warehouse/lake/ledger.ts';
import { listWeatherMonths } from '../../warehouse/lake/weather-lake.ts';
import type { DataPaths } from '../../warehouse/paths.ts';
import { readSnapshot } from '../../warehouse/snapshot.ts';

/**
 * Form of the source files in the bundled history. No operator chose to load months in this form, because these months
 * came with the code.
 */
const SHIPPED_FORM = 'route_hours';
const ARCHIVE = 'archive';

/**
 * Number of newest extracts that are searched for refusals. It is larger than the number of months that BTS has
 * published since 1987.
 */
const EXTRACTS_READ = 1_000;

/** Returns the functions that a search for new months uses. */
export function createFindMonths(
  paths: DataPaths,
  server: MonthServer | undefined,
  now: () => Date,
): FindMonthsDeps {
  const { lakeDir } = paths;
  return {
    server,
    get: createHttpGet(),
    now,
    readCoverage: async () => {
      const manifests = await readManifests(lakeDir, readValidManifest);
      const months = manifests.map(({ month }) => month);
      const weather = await listWeatherMonths(lakeDir);
      return {
        months,
        ownMonths: manifests
          .filter(({ source }) => source.form !== SHIPPED_FORM)
          .map(({ month }) => month),
        incompleteMonths: await findIncompleteMonths(paths, manifests, server?.table),
        droppedMonths: (await listDropped(lakeDir)).map(({ month }) => month),
        weatherMonths: weather.filter(({ source }) => source === ARCHIVE).map(({ month }) => month),
      };
    },
  };
}

/**
 * Returns the months that were loaded from an operator's own file and are incomplete (a part or a sample). Leaves out a
 * month if the lake already has the server's file of this month, or if this file was refused. In both cases, another
 * extract of the server's file would change nothing.
 */
async function findIncompleteMonths(
  paths: DataPaths,
  manifests: MonthManifest[],
  table: BtsTable | undefined,
): Promise<string[]> {
  const refusedFiles = await listRefusedFiles(paths);
  const loaded = await readSnapshot(paths);
  return manifests
    .filter(({ month, source }) => {
      const serverFile = btsFileName(month, table);
      const isOwn = source.form !== SHIPPED_FORM && source.name !== serverFile;
      return isOwn && !refusedFiles.has(serverFile);
    })
    .filter(({ month, source }) => {
      const one = loaded.find((candidate) => candidate.month === month);
      const kind = one?.sourceSha256 === source.sha256 ? one.completeness?.kind : undefined;
      return kind === 'partial' || kind === 'sample';
    })
    .map(({ month }) => month);
}

/** Returns the names of the files whose last extract refused a month. */
async function listRefusedFiles(paths: DataPaths): Promise<Set<string>> {
  const refusedFiles = new Set<string>();
  for (const { outcome, detail } of await newestRuns(
    ledgerFiles(paths),
    ['extract'],
    EXTRACTS_READ,
  )) {
    if (outcome !== 'done') continue;
    const { source, months } = detail as ExtractReport;
    if (months.some((month) => month.outcome === 'refused')) refusedFiles.add(source.name);
    else refusedFiles.delete(source.name);
  }
  return refusedFiles;
}
