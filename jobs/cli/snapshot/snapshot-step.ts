import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { FlattenedSign, importJWK } from 'jose';
import type { Logger } from 'pino';
import { openLiveScores } from '../../../api/server/live-scores.ts';
import { recordRun, type Ledger } from '../../../pipelines/ledger.ts';
import { PROVIDERS } from '../../../pipelines/providers/index.ts';
import { forecastMonth } from '../../../pipelines/snapshot/forecast-rows.ts';
import { writeSnapshotFiles } from '../../../warehouse/build/snapshot-files.ts';
import { dateAt, firstDay, monthOf } from '../../../warehouse/ground/dates.ts';
import { ensureDir, statIfExists } from '../../../warehouse/ground/files.ts';
import type { Retention } from '../../../warehouse/ground/retention.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { withTemporary } from '../../../warehouse/ground/temporary.ts';
import { readSigningKeys, signingKeyAt } from '../../../warehouse/live/signing-keys.ts';
import type { Objects } from '../../../warehouse/objects/objects.ts';
import {
  SNAPSHOT_FILES,
  snapshotsDir,
  type SnapshotManifest,
  type SnapshotProvider,
} from '../../../warehouse/snapshots/snapshots.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { JobsConfig } from '../../config.ts';
import type { Maintenance, MaintenanceReport } from '../../queue/handlers.ts';
import { countOf } from '../tables.ts';

export type SnapshotDeps = {
  dataDir: string;
  redis: Redis;
  redisUrl: string;
  modelDeadlineMs: number;
  retention?: Retention | undefined;
  ledger: Pick<Ledger, 'record' | 'codeVersion' | 'now' | 'randomLetters'>;
  /** Bucket or folder of the shared lake. The snapshot is copied there. Absent without a shared lake. */
  objects?: Objects | undefined;
  now: () => Date;
  log: Logger;
};

const { parquet: PARQUET, csv: CSV, manifest: MANIFEST, signature: SIGNATURE } = SNAPSHOT_FILES;

/** Creates the step for the job `snapshot`. */
export function createSnapshotStep(
  config: JobsConfig,
  parts: Pick<SnapshotDeps, 'redis' | 'redisUrl' | 'ledger' | 'objects' | 'log'>,
): Maintenance['snapshot'] {
  const deps = { ...config, ...parts, now: () => new Date() };
  return () =>
    recordRun(
      'snapshot',
      deps.ledger,
      () => writeSnapshot(deps),
      (report) => ({
        inputs: [{ name: snapshotsDir(deps.dataDir) }],
        ...(report && { detail: report }),
      }),
    );
}

/**
 * Writes the forecasts for the next month. Does nothing if there is already a snapshot of that month from the current
 * store.
 */
export async function writeSnapshot(deps: SnapshotDeps): Promise<MaintenanceReport> {
  const { dataDir, now } = deps;
  const month = monthOf(firstDay(dateAt(now()), 1));
  const scores = await openLiveScores(deps);
  try {
    const store = scores.store();
    if (!store) throw new Error('no store is published: make publish');
    const version = `${month}-${store.manifest.version}`;
    const folder = join(snapshotsDir(dataDir), version);
    if (await statIfExists(join(folder, MANIFEST))) {
      return { summary: `the snapshot ${version} exists` };
    }
    const mayShip = (provider: string) => shippedProviders().some(({ name }) => name === provider);
    const forecasts = await forecastMonth(month, { store, mayShip, assess: scores.assessOperated });
    await ensureDir(snapshotsDir(dataDir));
    await withTemporary(snapshotsDir(dataDir), async (staging) => {
      await mkdir(staging);
      const files = { parquet: join(staging, PARQUET), csv: join(staging, CSV) };
      const columns = await writeSnapshotFiles(files, forecasts);
      const facts = { version, month, columns, rows: forecasts.length };
      await seal(staging, manifestOf(store, facts, deps), deps);
      await rm(folder, { recursive: true, force: true });
      await rename(staging, folder);
    });
    await copyToObjects(folder, version, deps);
    return { summary: `${version}: ${countOf(forecasts.length, 'forecast')} in ${folder}` };
  } finally {
    await scores.close();
  }
}

/** Providers whose figures may be passed on. */
function shippedProviders() {
  return PROVIDERS.filter(({ name, isBundled }) => name === 'bts' || isBundled === true);
}

type SnapshotFacts = Pick<SnapshotManifest, 'version' | 'month' | 'columns' | 'rows'>;

function manifestOf(
  store: ScoreStore,
  facts: SnapshotFacts,
  { now }: Pick<SnapshotDeps, 'now'>,
): Omit<SnapshotManifest, 'files'> {
  const shipped = new Set(shippedProviders().map(({ name }) => name));
  const all = [store, ...store.parts].map(({ manifest }): SnapshotProvider => {
    const known = PROVIDERS.find(({ name }) => name === manifest.provider);
    const { title = manifest.provider, attribution = '', terms = '' } = known ?? {};
    return { name: manifest.provider, title, attribution, terms };
  });
  return {
    ...facts,
    createdAt: now().toISOString(),
    storeVersion: store.manifest.version,
    modelVersion: store.manifest.model?.version ?? null,
    providers: all.filter(({ name }) => shipped.has(name)),
    leftOut: all.filter(({ name }) => !shipped.has(name)),
  };
}

/** Writes the manifest, which contains the checksums of the files, and writes the signature of the manifest. */
async function seal(
  folder: string,
  content: Omit<SnapshotManifest, 'files'>,
  { redis, now }: Pick<SnapshotDeps, 'redis' | 'now'>,
): Promise<void> {
  const files = await Promise.all(
    [PARQUET, CSV].map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, bytes: bytes.length, sha256: sha256(bytes) };
    }),
  );
  const manifest: SnapshotManifest = { ...content, files };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const key = signingKeyAt(await readSigningKeys(redis), now());
  if (!key) throw new Error('there is no signing key yet: the API creates one when it starts');
  const signed = await new FlattenedSign(Buffer.from(text))
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, iat: Math.floor(now().getTime() / 1_000) })
    .sign(await importJWK({ ...key.jwk, kty: 'OKP' }, 'EdDSA'));
  await writeFile(join(folder, SIGNATURE), `${signed.protected}..${signed.signature}`);
  await writeFile(join(folder, MANIFEST), text);
}

/** Copies a snapshot to the shared lake. Copies the manifest last, so that every listed snapshot is complete. */
async function copyToObjects(
  folder: string,
  version: string,
  { objects }: Pick<SnapshotDeps, 'objects'>,
): Promise<void> {
  if (!objects) return;
  for (const name of [PARQUET, CSV, SIGNATURE, MANIFEST]) {
    await objects.put(`snapshots/${version}/${name}`, await readFile(join(folder, name)));
  }
}
