/**
 * `node watch-child.ts REDIS_URL NOTIFY_URL SECRET`: reports a failed job from a separate process, for tests
 * that kill it.
 */
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';

const [redisUrl = '', url = '', secret = ''] = process.argv.slice(2);

const hook = createWebhook({ url, secret }, () => new Date());
const watch = openJobWatch(new Redis(redisUrl), hook, pino({ level: 'silent' }));
watch.failed({ name: 'refresh-news', id: 'x', data: {} }, new Error('no feed answers'));
