/**
 * `node worker-child.ts REDIS_URL DATA_DIR RECEIVER PROFILE`: scans watches and delivers their messages, until it is
 * killed. `PROFILE` is `fast`, with short waits for `make chaos`, or `real`, with the waits of a real worker. A message
 * from the parent process, in ms since 1970, replaces the clock.
 */
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openWatchWork } from '../../jobs/cli/watches/watch-work.ts';

const [redisUrl = '', dataDir = '', receiver = '', profile = 'real'] = process.argv.slice(2);

const FAST = {
  scanEveryMs: 1_000,
  recoverEveryMs: 2_000,
  waitMs: () => 300,
  postDeadlineMs: 1_000,
};

const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
redis.on('error', () => undefined);
let clock: Date | undefined;
process.on('message', (ms: number) => {
  clock = new Date(ms);
  process.send?.('set');
});
await openWatchWork(
  { redisUrl, dataDir, modelDeadlineMs: 200, watchHosts: receiver.split(',') },
  {
    ...{ redis, log: pino({ level: 'warn' }), now: () => clock ?? new Date() },
    ...(profile === 'fast' && { timing: FAST }),
  },
);
console.log('ready');
