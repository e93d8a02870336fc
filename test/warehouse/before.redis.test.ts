import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createNewsStorage } from '../../jobs/wiring/news-storage.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { readArchive } from '../../warehouse/keyring/keyring.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { isIntact, readManifests, readValidManifest } from '../../warehouse/lake/lake.ts';
import { ledgerFiles } from '../../warehouse/lake/ledger.ts';
import { getWithFormer, hgetWithFormer } from '../../warehouse/live/former-keys.ts';
import { readForecasts } from '../../warehouse/live/forecasts.ts';
import { NAS_STATUS_KEY, readNasStatus } from '../../warehouse/live/nas.ts';
import { NEWS_ROUTES_KEY } from '../../warehouse/live/news.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { readSnapshot } from '../../warehouse/snapshot.ts';
import { aFolder } from '../helpers/flight-files.ts';
import { borrowRedis } from '../helpers/redis.ts';

const BEFORE = path.join(import.meta.dirname, '../fixtures/before');
const MONTH = '2025-07';
const AT = new Date('2026-11-21T00:00:00Z');

type StoredData = {
  apiKey: string;
  strings: Record<string, string>;
  hashes: Record<string, Record<string, string>>;
  sets: Record<string, string[]>;
};

async function dataFolder(t: ExecutionContext): Promise<string> {
  const folder = await aFolder(t);
  execFileSync('tar', ['-xzf', path.join(BEFORE, 'data.tar.gz'), '-C', folder]);
  return folder;
}

/** A Redis with the data of the former version. */
async function formerRedis(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const stored = JSON.parse(readFileSync(path.join(BEFORE, 'redis.json'), 'utf8')) as StoredData;
  await redis.mset(stored.strings);
  for (const [key, fields] of Object.entries(stored.hashes)) await redis.hset(key, fields);
  for (const [key, members] of Object.entries(stored.sets)) await redis.sadd(key, members);
  return { redis, apiKey: stored.apiKey };
}

test('lake, ledger and archive of the former version can be read', async (t) => {
  const paths = dataPaths(await dataFolder(t));
  const manifests = await readManifests(paths.lakeDir, readValidManifest);
  t.deepEqual(
    manifests.map(({ month, rows }) => ({ month, rows })),
    [{ month: MONTH, rows: { read: 1_500, loaded: 1_499, rejected: 1 } }],
  );
  t.true(await isIntact(paths.lakeDir, manifests[0]!));
  const { ids, read } = ledgerFiles(paths);
  t.deepEqual(
    (await read(await ids())).map(({ step, outcome }) => `${step} ${outcome}`),
    ['extract done', 'load done', 'build done', 'publish done'],
  );
  t.deepEqual(
    (await readSnapshot(paths))?.map(({ month }) => month),
    [MONTH],
  );
  t.is((await readArchive(paths.archiveFile))?.keys.length, 1);
});

test('a warehouse of the former version can be built, published and rebuilt from its lake', async (t) => {
  const dataDir = await dataFolder(t);
  const { redis } = await formerRedis(t);
  const steps = createSteps({ dataDir, codeVersion: 'today', offline: true }, redis);
  const { rows } = await steps.buildFeatures(() => undefined);
  t.true((rows['route_otp'] ?? 0) > 0);
  const { months } = await steps.publishStore(() => undefined);
  t.deepEqual(months, [MONTH]);
  const rebuilt = (await steps.rebuildWarehouse(() => undefined)).rows;
  // The former warehouse has no counts above 45 minutes, so its outcome effects have fewer rows.
  t.true(rebuilt['outcome_effects']! > rows['outcome_effects']!);
  t.deepEqual({ ...rebuilt, outcome_effects: 0 }, { ...rows, outcome_effects: 0 });
});

test('keys and counts of the former version stay valid', async (t) => {
  const { redis, apiKey } = await formerRedis(t);
  const keys = createKeystore(redis);
  t.like(await keys.admit(apiKey, 1, AT), {
    verdict: 'admitted',
    monthlyLimit: 500,
    monthCount: 8,
  });
  t.like(await keys.usage(apiKey, AT), { name: 'Before', totalRequests: 8 });
  t.true(await keys.setActive(apiKey.slice(0, 14), false, AT));
  t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'invalid' });
});

test('live values under the former prefix are read until new values replace them', async (t) => {
  const { redis } = await formerRedis(t);
  t.is((await readForecasts(redis)).get('JFK')?.days.get('2026-11-21')?.windMaxKmh, 30);
  t.is(readNasStatus(await getWithFormer(redis, NAS_STATUS_KEY))?.programs[0]?.airport, 'JFK');
  t.is(await hgetWithFormer(redis, NEWS_ROUTES_KEY, 'JFK-LAX'), '2026-11-20T12:00:00.000Z');
  const place = createNewsStorage(redis);
  t.deepEqual(
    (await place.items()).map(({ id }) => id),
    ['n1'],
  );
  await place.changeItems((items) => items.map((item) => ({ ...item, id: 'n2' })));
  t.deepEqual(
    (await place.items()).map(({ id }) => id),
    ['n2'],
  );
  await redis.set(NAS_STATUS_KEY, JSON.stringify({ fetchedAt: AT.toISOString(), programs: [] }));
  t.deepEqual(readNasStatus(await getWithFormer(redis, NAS_STATUS_KEY))?.programs, []);
});
