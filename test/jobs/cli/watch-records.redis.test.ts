import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openLiveScores } from '../../../api/server/live-scores.ts';
import { scanWatches } from '../../../pipelines/watches/scan.ts';
import type { WatchChange } from '../../../warehouse/live/watch-messages.ts';
import type { Watch } from '../../../warehouse/live/watches.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { withParts } from '../../../warehouse/store/parts.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { anApi, scoreUrl, SOME_KEY } from '../../api/helpers/app.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { aPart } from '../../helpers/store-part.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** This route is in the record of Hong Kong only. */
const FLIGHT = { origin: 'LAX', dest: 'JFK', airline: 'CX', date: '2026-11-20' };
const NOW = new Date('2026-11-02T12:00:00Z');
const WATCH: Watch = {
  ...{ id: 'a', keyHash: 'key', account: 'key', url: 'https://a.example', points: 1 },
  ...{ hasBand: false, flight: FLIGHT, createdAt: NOW.toISOString() },
};

test('a watch and its scans have the score of /api/score, from the record that has the route', async (t) => {
  const files = withParts(await someStoreFiles(), [aPart('hkia', ['LAX', 'JFK'], 4_000, 1.5)]);
  const log = pino({ level: 'silent' });
  const store = openStore(files);
  const call = anApi({ stores: { current: () => store }, now: () => NOW });
  const scored = (await call(scoreUrl(FLIGHT))).body;
  t.like(scored, { data_provider: 'hkia' });
  const { score, label } = scored as { score: number; label: string };

  const query = new URLSearchParams({ ...FLIGHT, url: WATCH.url, api_key: SOME_KEY });
  const created = await call(`/api/watches?${query}`, { method: 'POST' });
  t.like(created.body, { watch: { score, label } });

  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });
  t.teardown(() => redis.disconnect());
  await saveToRedis(redis, files);
  const scores = await openLiveScores({
    ...{ redis, redisUrl: server.url, dataDir: await tempDir(t), modelDeadlineMs: 200 },
    ...{ now: () => NOW, log },
  });
  t.teardown(scores.close);
  const scan = async (known: number): Promise<WatchChange[]> => {
    const found: WatchChange[] = [];
    await scanWatches({
      async *watches() {
        yield [WATCH];
      },
      scoreFlight: scores.score,
      isKeyActive: async () => true,
      readNotified: async () => [{ score: known, label, at: NOW.toISOString() }],
      recordChanges: async (changes) => {
        found.push(...changes);
        return [];
      },
      removeWatch: async () => undefined,
      deliver: async () => undefined,
      ...{ now: () => NOW, log },
    });
    return found;
  };
  t.deepEqual(await scan(score), [], 'nothing has changed since /api/score answered');
  const [change] = await scan(score + 20);
  t.like(change?.message.data, { score, label, store_version: files.manifest.version });
});
