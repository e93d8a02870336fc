import { sum } from '../ground/sum.ts';
import path from 'node:path';
import { CorruptFileError } from '../errors.ts';
import { namesIn, readIfThere, statIfThere } from '../ground/files.ts';
import { fileSha256, sha256 } from '../ground/sha256.ts';
import { readFromDisk } from '../store/disk.ts';
import { filesOf, isIntact, surveyLake } from './lake.ts';
import { surveyLevels } from './level-lake.ts';
import { monthsWithVersions, verifyVersions, type AnyManifest } from './versions.ts';
import { readWeatherManifest, verifiedWeatherFile, weatherMonths } from './weather-lake.ts';

/** What was looked at, of one kind. */
export type Verified = {
  what: 'flights' | 'levels' | 'weather' | 'versions' | 'downloads' | 'store' | 'models';
  /** Months, versions, downloads or files. */
  checked: number;
  bytes: number;
  /** Names of what is not, bit for bit, what was written. */
  damaged: string[];
};

/** Holds every file under a data folder that has a sha256 against it; reads all of them and changes nothing. */
export async function verifyFiles(places: {
  lakeDir: string;
  storeDir: string;
  downloadsDir: string;
}): Promise<Verified[]> {
  const { lakeDir } = places;
  const [flights, levels] = [await surveyLake(lakeDir), await surveyLevels(lakeDir)];
  return [
    await months('flights', lakeDir, flights),
    await months('levels', lakeDir, levels),
    await weather(lakeDir),
    await versions(lakeDir),
    await downloads(places.downloadsDir),
    await store(places.storeDir),
  ];
}

async function months(
  what: 'flights' | 'levels',
  lakeDir: string,
  { manifests, damaged }: { manifests: AnyManifest[]; damaged: string[] },
): Promise<Verified> {
  const found = [...damaged];
  for (const manifest of manifests) {
    if (!(await isIntact(lakeDir, manifest, what))) found.push(manifest.month);
  }
  const bytes = sum(manifests.flatMap(filesOf).map((file) => file.bytes));
  const checked = manifests.length + damaged.length;
  return { what, checked, bytes, damaged: found.toSorted() };
}

async function weather(lakeDir: string): Promise<Verified> {
  const refs = await weatherMonths(lakeDir);
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

/** Their files are those of months, or were: where they still are, they take no room of their own. */
async function versions(lakeDir: string): Promise<Verified> {
  const found: Verified = { what: 'versions', checked: 0, bytes: 0, damaged: [] };
  for (const ref of await monthsWithVersions(lakeDir)) {
    const { checked, bytes, damaged } = await verifyVersions(lakeDir, ref);
    found.checked += checked;
    found.bytes += bytes;
    found.damaged.push(...damaged.map((id) => `${ref.tree} ${ref.month} ${id}`));
  }
  return found;
}

async function downloads(folder: string): Promise<Verified> {
  const names = (await namesIn(folder)).filter(
    (name) => name.endsWith('.json') && !name.endsWith('.part.json'),
  );
  const damaged: string[] = [];
  let [checked, bytes] = [0, 0];
  for (const name of names) {
    const file = path.join(folder, name.replace(/\.json$/, ''));
    const text = await readIfThere(path.join(folder, name));
    // Tidying removed it meanwhile, or a newer download is about to take its place.
    if (!text) continue;
    checked += 1;
    const hash = await fileSha256(file).catch(() => undefined);
    if (hash !== sha256In(text.toString())) damaged.push(path.basename(file));
    else bytes += (await statIfThere(file))?.size ?? 0;
  }
  return { what: 'downloads', checked, bytes, damaged };
}

async function store(storeDir: string): Promise<Verified> {
  const files = await readFromDisk(storeDir).catch((error: unknown) => error as Error);
  if (files === undefined) return { what: 'store', checked: 0, bytes: 0, damaged: [] };
  if (files instanceof Error) {
    return { what: 'store', checked: 1, bytes: 0, damaged: [files.message] };
  }
  const { tables, model } = files.manifest;
  const parts = [...Object.values(tables), ...(model ? [model] : [])];
  const damaged = parts.filter((part) => sha256(files.files.get(part.file) ?? '') !== part.sha256);
  return {
    what: 'store',
    checked: parts.length,
    bytes: sum(parts.map((part) => part.bytes)),
    damaged: damaged.map(({ file }) => file),
  };
}

function sha256In(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { sha256?: string }).sha256;
  } catch {
    return undefined;
  }
}
