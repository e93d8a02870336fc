/**
 * `node watch-child.ts REDIS_URL NOTIFY_URL SECRET FOLDER`: reports a failed job from a separate process, for tests
 * that kill it.
 */
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openJobWatch } from '../../../jobs/watch/job-watch.ts';

const [redisUrl = '', url = '', secret = '', dataDir = ''] = process.argv.slice(2);

const config = { dataDir, notify: { url, secret }, staleAfterDays: undefined };
const watch = openJobWatch(config, new Redis(redisUrl), pino({ level: 'silent' }));
watch.failed({ name: 'refresh-news', id: 'x', data: {} }, new Error('no feed answers'));
