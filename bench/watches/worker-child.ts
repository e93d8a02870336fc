/**
 * `node worker-child.ts REDIS_URL DATA_DIR RECEIVERS PROFILE [CLOCK]`: scans watches and delivers their messages, until
 * the process is killed. `PROFILE` is `fast`, with short waits for `make chaos`, or `real`, with the waits of a real
 * worker. `CLOCK` (ms since 1970) replaces the clock, and so does each message from the parent process.
 */
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openWatchWork } from '../../jobs/cli/watches/watch-work.ts';
import { lowerPriority } from '../../warehouse/ground/priority.ts';

const [redisUrl = '', dataDir = '', receivers = '', profile = 'real', start] =
  process.argv.slice(2);

const FAST = {
  scanEveryMs: 1_000,
  recoverEveryMs: 2_000,
  waitMs: () => 300,
  postDeadlineMs: 1_000,
};

lowerPriority('worker');
const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
redis.on('error', () => undefined);
let clock = start === undefined ? undefined : new Date(Number(start));
process.on('message', (ms: number) => {
  clock = new Date(ms);
  process.send?.('set');
});
process.once('disconnect', () => process.exit());
await openWatchWork(
  { redisUrl, dataDir, modelDeadlineMs: 200, watchHosts: receivers.split(',') },
  {
    ...{ redis, log: pino({ level: 'warn' }), now: () => clock ?? new Date() },
    ...(profile === 'fast' && { timing: FAST }),
  },
);
console.log('ready');
