import test from 'ava';
import { Redis } from 'ioredis';
import {
  recordAttempt,
  recordChanges,
  saveRetry,
} from '../../../../warehouse/live/watch-messages.ts';
import { addWatch, createSecret, type Watch } from '../../../../warehouse/live/watches.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('make watches counts watches, and shows the host of a receiver that does not accept its messages', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: server.url });
  const at = '2026-11-02T12:00:00.000Z';
  const watch: Watch = {
    ...{ id: 'watch_1', keyHash: 'a', account: 'a', points: 10, hasBand: true, createdAt: at },
    flight: { origin: 'JFK', dest: 'LAX', airline: 'DL', date: '2026-11-20' },
    url: 'https://hooks.example/secret-path',
  };
  const known = { score: 20, label: 'Low', at };
  const current = { ...known, score: 60, label: 'High' };
  await addWatch(redis, watch, { known, secret: createSecret(), limit: 10 });
  t.deepEqual((await run('watches')).out.split('\n').slice(0, 2), [
    '1 watch of 1 account, on 1 flight',
    'Every message is delivered.',
  ]);
  const message = { id: 'msg_1', at, type: 'score.changed', data: {} };
  t.deepEqual(await recordChanges(redis, [{ watch, known, current, message }]), ['watch_1']);
  t.deepEqual(
    await recordChanges(redis, [{ watch, known, current, message }]),
    [],
    'recorded once',
  );
  await recordAttempt(redis, 'watch_1', { id: 'msg_1', at, outcome: 'failed', reason: 'it hangs' });
  const row = /hooks\.example .* 1 .*2026-11-02 12:00 UTC .* due .* it hangs/;
  t.regex((await run('watches')).out, row);
  const dueMs = Date.now() + 3 * 3_600_000;
  await saveRetry(redis, watch, { attempts: 1, dueMs });
  const { out } = await run('watches');
  t.regex(out, /hooks\.example .* in [23] h .* it hangs/);
  t.notRegex(out, /secret-path/);
  t.regex((await run('status')).out, /\nWatches  1: 1 with undelivered messages/);
});
