import { sum } from '../ground/numbers.ts';
import path from 'node:path';
import { CorruptFileError } from '../errors.ts';
import { listNames, readIfExists, statIfExists } from '../ground/files.ts';
import { datesText } from '../ground/period.ts';
import { fileSha256, sha256 } from '../ground/hashes.ts';
import { listLakeProviders, providerLakeDir } from '../paths.ts';
import { readVersion, versionsOnDisk } from '../store/disk.ts';
import { filesOf, isIntact, surveyLake } from './lake.ts';
import { surveyLevels } from './level-lake.ts';
import { verifyNights } from './forecasts/verify-nights.ts';
import { listMonthsWithVersions, verifyVersions, type AnyManifest } from './versions.ts';
import { readWeatherManifest, verifiedWeatherFile, listWeatherMonths } from './weather-lake.ts';

/** The result of verifying one kind of data. */
export type VerifyResult = {
  what:
    | 'flights'
    | 'levels'
    | 'weather'
    | 'versions'
    | 'forecasts'
    | 'downloads'
    | 'store'
    | 'live'
    | 'snapshots'
    | 'keys'
    | 'models';
  /** Number of months, versions, nights, downloads or files that were verified. */
  checked: number;
  bytes: number;
  /** Names of damaged months, versions, downloads or files. */
  damaged: string[];
};

/** Verifies every file with a known sha256 in a data folder. Changes nothing. */
export async function verifyFiles(places: {
  lakeDir: string;
  storeDir: string;
  downloadsDir: string;
}): Promise<VerifyResult[]> {
  const { lakeDir } = places;
  const [flights, levels] = [await surveyLake(lakeDir), await surveyLevels(lakeDir)];
  return [
    await verifyFlights(lakeDir, flights),
    await verifyMonths('levels', lakeDir, levels),
    await verifyWeather(lakeDir),
    await verifyAllVersions(lakeDir),
    { what: 'forecasts', ...(await verifyNights(lakeDir)) },
    await verifyDownloads(places.downloadsDir),
    await verifyStores(places.storeDir),
  ];
}

/**
 * Verifies the months of flights of all providers. For providers other than the American record, the name of a month
 * includes the provider.
 */
async function verifyFlights(
  lakeDir: string,
  home: Parameters<typeof verifyMonths>[2],
): Promise<VerifyResult> {
  const result = await verifyMonths('flights', lakeDir, home);
  for (const provider of await listLakeProviders(lakeDir)) {
    const ownDir = providerLakeDir(lakeDir, provider);
    const { checked, bytes, damaged } = await verifyMonths(
      'flights',
      ownDir,
      await surveyLake(ownDir),
    );
    result.checked += checked;
    result.bytes += bytes;
    result.damaged.push(...damaged.map((dates) => `${provider} ${dates}`));
  }
  return result;
}

async function verifyMonths(
  what: 'flights' | 'levels',
  lakeDir: string,
  { manifests, damaged }: { manifests: AnyManifest[]; damaged: string[] },
): Promise<VerifyResult> {
  const damagedMonths = [...damaged];
  for (const manifest of manifests) {
    if (!(await isIntact(lakeDir, manifest, what))) damagedMonths.push(datesText(manifest));
  }
  const bytes = sum(manifests.flatMap(filesOf).map((file) => file.bytes));
  const checked = manifests.length + damaged.length;
  return { what, checked, bytes, damaged: damagedMonths.toSorted() };
}

async function verifyWeather(lakeDir: string): Promise<VerifyResult> {
  const refs = await listWeatherMonths(lakeDir);
  const damaged: string[] = [];
  let bytes = 0;
  for (const ref of refs) {
    try {
      const manifest = await readWeatherManifest(lakeDir, ref);
      if (!manifest) continue;
      await verifiedWeatherFile(lakeDir, manifest);
      bytes += manifest.file.bytes;
    } catch (error) {
      if (!(error instanceof CorruptFileError)) throw error;
      damaged.push(`${ref.source} ${ref.month}`);
    }
  }
  return { what: 'weather', checked: refs.length, bytes, damaged };
}

/** Verifies the former versions of all months. */
async function verifyAllVersions(lakeDir: string): Promise<VerifyResult> {
  const result: VerifyResult = { what: 'versions', checked: 0, bytes: 0, damaged: [] };
  const providers = await listLakeProviders(lakeDir);
  const lakes = [
    { lake: lakeDir, owner: '' },
    ...providers.map((one) => ({ lake: providerLakeDir(lakeDir, one), owner: `${one} ` })),
  ];
  const refs = await Promise.all(
    lakes.map(async ({ lake, owner }) =>
      (await listMonthsWithVersions(lake)).map((ref) => ({ lake, owner, ref })),
    ),
  );
  for (const { lake, owner, ref } of refs.flat()) {
    const { checked, bytes, damaged } = await verifyVersions(lake, ref);
    result.checked += checked;
    result.bytes += bytes;
    result.damaged.push(...damaged.map((id) => `${owner}${ref.tree} ${ref.month} ${id}`));
  }
  return result;
}

async function verifyDownloads(folder: string): Promise<VerifyResult> {
  const names = (await listNames(folder)).filter(
    (name) => name.endsWith('.json') && !name.endsWith('.part.json'),
  );
  const damaged: string[] = [];
  let [checked, bytes] = [0, 0];
  for (const name of names) {
    const file = path.join(folder, name.replace(/\.json$/, ''));
    const text = await readIfExists(path.join(folder, name));
    // The file was removed during the check, or a newer download is replacing it.
    if (!text) continue;
    checked += 1;
    const hash = await fileSha256(file).catch(() => undefined);
    if (hash !== parseSha256(text.toString())) damaged.push(path.basename(file));
    else bytes += (await statIfExists(file))?.size ?? 0;
  }
  return { what: 'downloads', checked, bytes, damaged };
}

/** Verifies all stored versions, because former answers can be computed again from them. */
async function verifyStores(storeDir: string): Promise<VerifyResult> {
  const result: VerifyResult = { what: 'store', checked: 0, bytes: 0, damaged: [] };
  for (const version of await versionsOnDisk(storeDir)) {
    const files = await readVersion(storeDir, version).catch((error: unknown) => error as Error);
    if (files instanceof Error) {
      result.checked += 1;
      result.damaged.push(files.message);
      continue;
    }
    const { tables, parts = [], model, fallback } = files.manifest;
    const entries = [tables, ...parts.map((part) => part.tables)].flatMap((one) =>
      Object.values(one),
    );
    for (const part of [...entries, model ?? [], fallback ?? []].flat()) {
      result.checked += 1;
      result.bytes += part.bytes;
      if (sha256(files.files.get(part.file) ?? '') === part.sha256) continue;
      result.damaged.push(`${version}/${part.file}`);
    }
  }
  return result;
}

function parseSha256(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { sha256?: string }).sha256;
  } catch {
    return undefined;
  }
}
