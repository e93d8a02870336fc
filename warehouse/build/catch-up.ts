import type { Database } from '../connect.ts';
import { surveyLake } from '../lake/lake.ts';
import { surveyLevels } from '../lake/level-lake.ts';
import { unitOf, weatherUnit, type Unit } from '../lake/shared/units.ts';
import type { MonthRef } from '../lake/versions.ts';
import { readWeatherManifest, listWeatherMonths } from '../lake/weather-lake.ts';
import { loadDelayCauses, unloadDelayCauses } from './level-load.ts';
import { loadMonth, unloadMonth } from './load.ts';
import { loadWeatherMonth } from './weather-load.ts';

/** Numbers of loaded and removed months. */
export type CatchUpReport = { loaded: number; unloaded: number };

type LoadedMonth = { month: string; sha256: string; extractedAt: string };

const selectMonths = (table: 'raw.lake_months' | 'raw.delay_cause_months') => `
  select strftime(month, '%Y-%m') as "month", source_sha256 as "sha256", extracted_at as "extractedAt" from ${table}`;

/**
 * Loads new and changed months of the lake into the warehouse, and removes months that the lake no longer has. If a
 * month is damaged in the lake, the version in the warehouse stays. `fetch` downloads the files of the months to load.
 */
export async function catchUp(
  db: Database,
  lakeDir: string,
  fetch: (units: Unit[]) => Promise<void>,
): Promise<CatchUpReport> {
  const flights = compareMonths(
    await surveyLake(lakeDir),
    await db.rows<LoadedMonth>(selectMonths('raw.lake_months')),
  );
  const levels = compareMonths(
    await surveyLevels(lakeDir),
    await db.rows<LoadedMonth>(selectMonths('raw.delay_cause_months')),
  );
  const weather = await weatherToLoad(db, lakeDir);
  const unitsOf = (months: string[], tree: MonthRef['tree']) =>
    months.map((month) => unitOf({ month, tree }));
  await fetch([
    ...unitsOf(flights.toLoad, 'flights'),
    ...unitsOf(levels.toLoad, 'levels'),
    ...weather.map(weatherUnit),
  ]);
  for (const month of flights.toLoad) await loadMonth(db, lakeDir, month);
  for (const month of flights.toUnload) await unloadMonth(db, month);
  if (levels.toLoad.length > 0) await loadDelayCauses(db, lakeDir, levels.toLoad);
  for (const month of levels.toUnload) await unloadDelayCauses(db, month);
  for (const ref of weather) await loadWeatherMonth(db, lakeDir, ref);
  return {
    loaded: flights.toLoad.length + levels.toLoad.length + weather.length,
    unloaded: flights.toUnload.length + levels.toUnload.length,
  };
}

type Survey = {
  manifests: { month: string; source: { sha256: string }; extractedAt: string }[];
  damaged: string[];
};

function compareMonths({ manifests, damaged }: Survey, loaded: LoadedMonth[]) {
  const isLoaded = ({ month, source, extractedAt }: Survey['manifests'][number]) =>
    loaded.some(
      (one) =>
        one.month === month &&
        one.sha256 === source.sha256 &&
        Date.parse(one.extractedAt) === Date.parse(extractedAt),
    );
  const lakeMonths = new Set([...manifests.map(({ month }) => month), ...damaged]);
  return {
    toLoad: manifests.filter((one) => !isLoaded(one)).map(({ month }) => month),
    toUnload: loaded.map(({ month }) => month).filter((month) => !lakeMonths.has(month)),
  };
}

async function weatherToLoad(db: Database, lakeDir: string) {
  const loaded = await db.rows<{ source: string; month: string; sha256: string }>(
    `select source, strftime(month, '%Y-%m') as "month", file_sha256 as "sha256" from raw.weather_months`,
  );
  const refs = await listWeatherMonths(lakeDir);
  const refsToLoad = await Promise.all(
    refs.map(async (ref) => {
      const manifest = await readWeatherManifest(lakeDir, ref).catch(() => undefined);
      const isLoaded = loaded.some(
        ({ source, month, sha256 }) =>
          source === ref.source && month === ref.month && sha256 === manifest?.file.sha256,
      );
      return manifest === undefined || isLoaded ? [] : [ref];
    }),
  );
  return refsToLoad.flat();
}
