import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '../connect.ts';
import { ensureDir, listAllEntries, publishFile, syncPath } from '../ground/files.ts';
import { withTemporary, writeAtomically } from '../ground/temporary.ts';
import type { LakeFile } from './lake.ts';
import { fileSha256 } from '../ground/hashes.ts';
import { readSealed, sealJson } from './sealed.ts';
import { CorruptFileError } from '../errors.ts';
import type { WeatherReadings } from '../store/types.ts';

/** Weather at an airport on one local day. */
export type WeatherDay = WeatherReadings & {
  /** `YYYY-MM-DD`. */
  date: string;
};

/** Days by airport. */
export type AirportDays = Map<string, WeatherDay[]>;

/** A month of weather from one source (`archive`, or the name of a file). The lake has at most one version of it. */
export type WeatherMonthRef = {
  source: string;
  /** `YYYY-MM`. */
  month: string;
};

/** `manifest.json` of a month of weather from one source. Only the manifest names the current file. */
export type WeatherManifest = WeatherMonthRef & {
  /** Airports in the file, sorted. */
  airports: string[];
  file: LakeFile;
  codeVersion: string;
  extractedAt: string;
};

export type WeatherLakeOptions = { lakeDir: string; codeVersion: string; now: () => Date };

const MANIFEST = 'manifest.json';

const STRUCTURE =
  '[{"airport":"varchar","weather_date":"date","temp_mean_c":"double","wind_max_kmh":"double","gust_max_kmh":"double","precip_max_mm":"double","snowfall_cm":"double","visibility_min_m":"double","weather_code":"integer"}]';

const COPY = `copy (
    select * from (select unnest(from_json($rows::json, $structure), recursive := true)) as days
    order by airport, weather_date
  ) to $file (format parquet, compression zstd)`;

/**
 * Replaces a whole month of a source. The file is written under a temporary name, synced and renamed. It becomes
 * current when the manifest that names it is written. Days of other months are ignored.
 */
export async function writeWeatherMonth(
  ref: WeatherMonthRef,
  days: AirportDays,
  { lakeDir, codeVersion, now }: WeatherLakeOptions,
): Promise<WeatherManifest> {
  const folder = weatherDir(lakeDir, ref);
  await ensureDir(folder);
  const rows = [...days].flatMap(([airport, airportDays]) =>
    airportDays.filter(({ date }) => date.startsWith(ref.month)).map((day) => rowOf(airport, day)),
  );
  const file = await writeRows(folder, rows);
  const manifest: WeatherManifest = {
    source: ref.source,
    month: ref.month,
    airports: [...new Set(rows.map(({ airport }) => airport))].toSorted(),
    file,
    codeVersion,
    extractedAt: now().toISOString(),
  };
  const manifestFile = path.join(folder, MANIFEST);
  await writeAtomically(manifestFile, (temporary) => writeFile(temporary, sealJson(manifest)));
  // Removes the file of the old manifest, and files that killed processes left. Only one job at a time writes a month.
  const keep = new Set([MANIFEST, file.name]);
  for (const name of await readdir(folder)) {
    if (!keep.has(name)) await rm(path.join(folder, name), { force: true });
  }
  return manifest;
}

/**
 * Reads the manifest of a month; undefined if the month is not in the lake. Throws `CorruptFileError` if the manifest
 * was changed.
 */
export async function readWeatherManifest(
  lakeDir: string,
  ref: WeatherMonthRef,
): Promise<WeatherManifest | undefined> {
  const file = path.join(weatherDir(lakeDir, ref), MANIFEST);
  return readSealed<WeatherManifest>(file, 'backfill the month again');
}

/** Lists all months of weather in the lake, by source and month. */
export async function listWeatherMonths(lakeDir: string): Promise<WeatherMonthRef[]> {
  const root = path.join(lakeDir, 'weather');
  const entries = await listAllEntries(root);
  const pattern = /^source=(.+)\/year=(\d{4})\/month=(\d{2})\/manifest\.json$/;
  return entries
    .map((entry) => pattern.exec(path.relative(root, path.join(entry.parentPath, entry.name))))
    .filter((ref) => ref !== null)
    .map(([, source = '', year, month]) => ({ source, month: `${year}-${month}` }))
    .toSorted((a, b) => `${a.source} ${a.month}`.localeCompare(`${b.source} ${b.month}`));
}

/**
 * Verifies the file that a manifest names, and returns its path. Throws `CorruptFileError` if the file's sha256 differs
 * from the manifest.
 */
export async function verifiedWeatherFile(
  lakeDir: string,
  manifest: WeatherManifest,
): Promise<string> {
  const file = path.join(weatherDir(lakeDir, manifest), manifest.file.name);
  const hash = await fileSha256(file).catch(() => undefined);
  if (hash === manifest.file.sha256) return file;
  throw new CorruptFileError(file, 'its sha256 does not match the manifest');
}

/** Returns the folder of a month of weather in the lake. */
export function weatherDir(lakeDir: string, { source, month }: WeatherMonthRef): string {
  const [year, number] = month.split('-');
  return path.join(lakeDir, 'weather', `source=${source}`, `year=${year}`, `month=${number}`);
}

async function writeRows(folder: string, rows: object[]): Promise<LakeFile> {
  return withTemporary(folder, async (temporary) => {
    const db = await openDatabase();
    try {
      await db.run(COPY, { rows: JSON.stringify(rows), structure: STRUCTURE, file: temporary });
    } finally {
      db.close();
    }
    const hash = await fileSha256(temporary);
    const { size: bytes } = await stat(temporary);
    const name = `${hash.slice(0, 12)}.airport_days.parquet`;
    await publishFile(temporary, path.join(folder, name));
    await syncPath(folder);
    return { name, rows: rows.length, bytes, sha256: hash };
  });
}

function rowOf(airport: string, day: WeatherDay) {
  return {
    airport,
    weather_date: day.date,
    temp_mean_c: day.tempMeanC,
    wind_max_kmh: day.windMaxKmh,
    gust_max_kmh: day.gustMaxKmh,
    precip_max_mm: day.precipMaxMm,
    snowfall_cm: day.snowfallCm,
    visibility_min_m: day.visibilityMinM,
    weather_code: day.weatherCode,
  };
}
