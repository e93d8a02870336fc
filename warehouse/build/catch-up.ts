import type { Database } from '../connect.ts';
import { surveyLake } from '../lake/lake.ts';
import { surveyLevels } from '../lake/level-lake.ts';
import { unitOf, weatherUnit, type Unit } from '../lake/shared/units.ts';
import type { MonthRef } from '../lake/versions.ts';
import { readWeatherManifest, weatherMonths } from '../lake/weather-lake.ts';
import { loadDelayCauses, unloadDelayCauses } from './level-load.ts';
import { loadMonth, unloadMonth } from './load.ts';
import { loadWeatherMonth } from './weather-load.ts';

/** What was taken in and out, in months. */
export type CatchUpReport = { loaded: number; unloaded: number };

type Held = { month: string; sha256: string; extractedAt: string };

const HELD = (table: 'raw.lake_months' | 'raw.delay_cause_months') => `
  select strftime(month, '%Y-%m') as "month", source_sha256 as "sha256", extracted_at as "extractedAt" from ${table}`;

/**
 * Has the warehouse hold the months that the lake holds, no other and no older ones; damaged months stay as they are. `fetch`
 * brings the files of what is to be loaded.
 */
export async function catchUp(
  db: Database,
  lakeDir: string,
  fetch: (units: Unit[]) => Promise<void>,
): Promise<CatchUpReport> {
  const flights = differing(
    await surveyLake(lakeDir),
    await db.rows<Held>(HELD('raw.lake_months')),
  );
  const levels = differing(
    await surveyLevels(lakeDir),
    await db.rows<Held>(HELD('raw.delay_cause_months')),
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
  for (const month of flights.gone) await unloadMonth(db, month);
  if (levels.toLoad.length > 0) await loadDelayCauses(db, lakeDir, levels.toLoad);
  for (const month of levels.gone) await unloadDelayCauses(db, month);
  for (const ref of weather) await loadWeatherMonth(db, lakeDir, ref);
  return {
    loaded: flights.toLoad.length + levels.toLoad.length + weather.length,
    unloaded: flights.gone.length + levels.gone.length,
  };
}

type Survey = {
  manifests: { month: string; source: { sha256: string }; extractedAt: string }[];
  damaged: string[];
};

function differing({ manifests, damaged }: Survey, held: Held[]) {
  const isHeld = ({ month, source, extractedAt }: Survey['manifests'][number]) =>
    held.some(
      (one) =>
        one.month === month &&
        one.sha256 === source.sha256 &&
        Date.parse(one.extractedAt) === Date.parse(extractedAt),
    );
  const there = new Set([...manifests.map(({ month }) => month), ...damaged]);
  return {
    toLoad: manifests.filter((one) => !isHeld(one)).map(({ month }) => month),
    gone: held.map(({ month }) => month).filter((month) => !there.has(month)),
  };
}

async function weatherToLoad(db: Database, lakeDir: string) {
  const held = await db.rows<{ source: string; month: string; sha256: string }>(
    `select source, strftime(month, '%Y-%m') as "month", file_sha256 as "sha256" from raw.weather_months`,
  );
  const refs = await weatherMonths(lakeDir);
  const due = await Promise.all(
    refs.map(async (ref) => {
      const manifest = await readWeatherManifest(lakeDir, ref).catch(() => undefined);
      const isHeld = held.some(
        ({ source, month, sha256 }) =>
          source === ref.source && month === ref.month && sha256 === manifest?.file.sha256,
      );
      return manifest === undefined || isHeld ? [] : [ref];
    }),
  );
  return due.flat();
}
