import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { flattenedVerify, importJWK } from 'jose';
import { pino } from 'pino';
import { writeSnapshot, type SnapshotDeps } from '../../../../jobs/cli/snapshot/snapshot-step.ts';
import { sha256 } from '../../../../warehouse/ground/hashes.ts';
import { addSigningKey, generateSigningKey } from '../../../../warehouse/live/signing-keys.ts';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { folderObjects } from '../../../../warehouse/objects/folder.ts';
import type { SnapshotKey } from '../../../../warehouse/snapshots/snapshot-signature.ts';
import { verifySnapshots } from '../../../../warehouse/snapshots/snapshots.ts';
import { withParts } from '../../../../warehouse/store/parts.ts';
import { saveToRedis } from '../../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { someStoreFiles } from '../../../helpers/store-files.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const NOW = new Date('2026-11-02T06:00:00Z');

type Manifest = {
  version: string;
  rows: number;
  columns: { name: string; about: string }[];
  files: { name: string; bytes: number; sha256: string }[];
  providers: { name: string }[];
  leftOut: { name: string; terms: string }[];
};

/** Writes a snapshot of a small store. The store contains the record of a provider whose data may not be passed on. */
async function aSnapshot(t: ExecutionContext) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const key = generateSigningKey(NOW);
  await addSigningKey(redis, key);
  const store = await someStoreFiles();
  const { version: _, ...content } = store.manifest;
  const secret = { manifest: { ...content, version: '', provider: 'caa' }, files: store.files };
  const part = { store: secret, attribution: 'CAA', terms: 'not to be sold on' };
  await saveToRedis(redis, withParts(store, [part]));
  const [dataDir, bucket] = [await tempDir(t), await tempDir(t)];
  const deps: SnapshotDeps = {
    ...{ dataDir, redis, redisUrl: server.url, modelDeadlineMs: 200 },
    ledger: {
      ...{ codeVersion: 'test', now: () => NOW, randomLetters: () => 'x' },
      record: () => Promise.resolve(),
    },
    objects: folderObjects(bucket),
    now: () => NOW,
    log: pino({ level: 'silent' }),
  };
  const { summary } = await writeSnapshot(deps);
  const [version = ''] = await readdir(join(dataDir, 'snapshots'));
  const folder = join(dataDir, 'snapshots', version);
  const manifestText = await readFile(join(folder, 'manifest.json'), 'utf8');
  return {
    summary,
    folder,
    key,
    manifestText,
    manifest: JSON.parse(manifestText) as Manifest,
    deps,
    bucket,
  };
}

test('a snapshot has the forecast of each airline-route-hour, with checksums, terms and a signature', async (t) => {
  const { folder, key, manifestText, manifest, deps, bucket } = await aSnapshot(t);
  t.regex(manifest.version, /^2026-12-2026/);
  t.true(manifest.rows > 0);
  t.deepEqual(
    manifest.providers.map(({ name }) => name),
    ['bts'],
  );
  t.like(manifest.leftOut[0], { name: 'caa' });
  t.true(manifest.columns.every(({ about }) => about.endsWith('.')));
  for (const { name, bytes, sha256: hash } of manifest.files) {
    const content = await readFile(join(folder, name));
    t.is(content.length, bytes);
    t.is(sha256(content), hash);
    t.deepEqual(await readFile(join(bucket, 'snapshots', manifest.version, name)), content);
  }
  const [header = '', , signature = ''] = (
    await readFile(join(folder, 'manifest.jws'), 'utf8')
  ).split('.');
  const payload = Buffer.from(manifestText).toString('base64url');
  const { crv = '', x = '' } = key.jwk;
  const publicKey = await importJWK({ kty: 'OKP', crv, x }, 'EdDSA');
  await t.notThrowsAsync(flattenedVerify({ protected: header, payload, signature }, publicKey));
  t.regex((await writeSnapshot(deps)).summary, /exists/, 'a second run changes nothing');
});

test('a changed manifest, a changed signature and an unknown key are found; without keys only files are checked', async (t) => {
  const { folder, key, manifestText, manifest, deps } = await aSnapshot(t);
  const damaged = async (keys?: SnapshotKey[]) =>
    (await verifySnapshots(deps.dataDir, keys)).damaged.map((name) => name.split('/')[1]);
  const revoked = { ...key, revokedAt: NOW.toISOString() };
  t.deepEqual(await damaged([generateSigningKey(NOW), key]), []);
  t.deepEqual(await damaged([revoked]), []);
  t.deepEqual(await damaged([generateSigningKey(NOW)]), ['manifest.jws']);
  t.deepEqual(await damaged([]), ['manifest.jws']);
  const [manifestFile, signatureFile] = [
    join(folder, 'manifest.json'),
    join(folder, 'manifest.jws'),
  ];
  const changed = manifestText.replace(`"rows": ${manifest.rows}`, `"rows": ${manifest.rows + 1}`);
  t.not(changed, manifestText);
  await writeFile(manifestFile, changed);
  t.deepEqual(await damaged([key]), ['manifest.jws']);
  t.deepEqual(await damaged(), []);
  await writeFile(manifestFile, manifestText);
  const signature = await readFile(signatureFile, 'utf8');
  for (const forged of [
    `${signature.slice(0, -4)}AAAA`,
    'header..signature',
    '',
    `${signature}x.y`,
  ]) {
    await writeFile(signatureFile, forged);
    t.deepEqual(await damaged([key]), ['manifest.jws'], forged);
  }
});

test('DuckDB reads both files, which have equal rows and the columns of the manifest', async (t) => {
  const { folder, manifest } = await aSnapshot(t);
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const [parquet, csv] = ['forecasts.parquet', 'forecasts.csv'].map((name) => join(folder, name));
  const rows = await db.rows<Record<string, unknown>>(`from read_parquet('${parquet}')`);
  t.is(rows.length, manifest.rows);
  t.deepEqual(
    Object.keys(rows[0] ?? {}),
    manifest.columns.map(({ name }) => name),
  );
  const [difference] = await db.rows<{ n: bigint }>(
    `select count(*) as n from (
       (select * from read_parquet('${parquet}') except select * from read_csv('${csv}'))
       union all
       (select * from read_csv('${csv}') except select * from read_parquet('${parquet}')))`,
  );
  t.is(Number(difference?.n), 0);
  const inRange = await db.rows(
    `from read_parquet('${parquet}') where score not between 0 and 100 or dep_hour not between 0 and 23`,
  );
  t.is(inRange.length, 0);
});

test('Python reads the CSV, with pandas if it is installed', async (t) => {
  const { folder, manifest } = await aSnapshot(t);
  const script = `
import csv, sys
path = sys.argv[1]
try:
    import pandas
    print(len(pandas.read_csv(path)))
except ImportError:
    print(sum(1 for _ in csv.DictReader(open(path, newline=""))))
`;
  const args = ['-c', script, join(folder, 'forecasts.csv')];
  const { stdout } = await promisify(execFile)('python3', args);
  t.is(Number(stdout), manifest.rows);
});
