import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { generateKey } from '../../warehouse/keyring/format.ts';
import { startApi } from '../../bench/stage/api-process.ts';
import { routePaths } from '../../bench/fuzz/endpoints.ts';
import { keysRestore } from '../../jobs/cli/commands/keys-restore.ts';
import { readConfig } from '../../jobs/config.ts';
import { createKeyring } from '../../warehouse/keyring/keyring.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { openRedis } from '../../jobs/processes/redis-session.ts';
import { startWorkers } from '../../jobs/queue/worker.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import { DAY_MS, dateAt } from '../../warehouse/ground/dates.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { someStoreFiles } from '../helpers/store-files.ts';
import { until } from '../jobs/helpers/command.ts';
import { tempDir } from '../jobs/helpers/temp-dir.ts';
import { aKeystore } from './helpers/keystore.ts';

const EMAIL = 'marked.person@marked.example';
/** A day that a service with a real clock scores. */
const TOMORROW = dateAt(Date.now() + DAY_MS);
const CREATED = new Date('2026-01-15T09:30:00Z');

/** Starts a service like `make run`: Redis, log and archive in one data folder. */
async function aService(t: ExecutionContext) {
  const dataDir = await tempDir(t);
  const config = readConfig({ DATA_DIR: dataDir });
  const session = await openRedis(config, 'test');
  t.teardown(() => session.close());
  const { keys, redis } = await aKeystore(t, session.url);
  await saveToRedis(redis, await someStoreFiles());
  const api = await startApi({ REDIS_URL: session.url, DATA_DIR: dataDir, LOG_LEVEL: 'trace' });
  t.teardown(api.stop);
  await api.untilHealthy();
  const redisPid = Number(await readFile(join(dataDir, 'redis', 'redis.pid'), 'utf8'));
  return { dataDir, config, session, keys, redis, api, redisPid };
}

/** Creates raw requests with the marker in every part of a request. */
function requestsWith(marker: string, paths: string[]): string[] {
  const escaped = encodeURIComponent(marker);
  const plain = `origin=JFK&dest=LAX&airline=DL&date=${TOMORROW}&name=Shop&email=${EMAIL}`;
  const places = ['api_key', 'origin', 'airline', 'date', 'name', 'email', 'news', 'year', 'q'];
  const addresses = paths.flatMap((path) => [
    `${path}?${plain}&api_key=${escaped}`,
    `${path}?${plain}&api_key=${escaped}&api_key=${escaped}`,
    ...places.map((name) => `${path}?api_key=${generateKey('test')}&${name}=${escaped}`),
    `${path}/${escaped}`,
    `${path}/${encodeURIComponent(escaped)}`,
    `${path}/${marker.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`,
  ]);
  const names = ['X-Admin-Key', 'Referer', 'User-Agent', 'Authorization', 'Cookie', 'X-Request-Id'];
  const headers = paths.flatMap((path) =>
    names.map((name) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${name}: ${marker}\r\n`),
  );
  const path = `/api/score?api_key=${escaped}`;
  return [
    ...addresses.map((address) => `GET ${address} HTTP/1.1\r\nHost: x\r\n`),
    ...headers,
    `HEAD ${path} HTTP/1.1\r\nHost: x\r\n`,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${marker.length}\r\n`,
    `GET ${path} HTTP/1.1\r\n`,
    `GET ${path} HTTP/9.9\r\nHost: x\r\n`,
    `GET ${marker} HTTP/1.1\r\nHost: x\r\n`,
    `GET http://${escaped}${path} HTTP/1.1\r\nHost: ${marker}\r\n`,
    `GET ${path}${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n`,
    `${marker}\r\n`,
  ].map((head) => `${head}Connection: close\r\n\r\n${head.startsWith('POST') ? marker : ''}`);
}

async function send(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  socket.write(request);
  return text(socket);
}

async function sendAll(port: number, requests: string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const request of requests) answers.push(await send(port, request));
  return answers;
}

/** Runs the jobs that handle keys through the queue, then restores the keys. Returns the printed and logged text. */
async function runJobs(
  t: ExecutionContext,
  { config, session, redis }: Awaited<ReturnType<typeof aService>>,
) {
  let printed = '';
  const sink = { write: (line: string) => ((printed += line), true) };
  const { archiveFile } = dataPaths(config.dataDir);
  const keyring = createKeyring({ redis, archiveFile, now: () => new Date() });
  const deps = { steps: {} as PipelineSteps, keyring, log: pino({ level: 'trace' }, sink) };
  const workers = await startWorkers(session.url, deps);
  t.teardown(async () => void (await workers.close(2_000)));
  const queues = openQueues(session.url);
  t.teardown(queues.close);
  const queue = queues.queue('warehouse');
  await queue.add('usage-rollover', {});
  await queue.add('archive-keys', {});
  await until('both jobs are done', async () => (await queue.getCompletedCount()) === 2);
  const out = sink as unknown as NodeJS.WriteStream;
  const context = { config: { ...config, redisUrl: session.url }, env: {}, out, err: out };
  await keysRestore({ ...context, now: () => new Date(), workerScript: '' });
  return () => printed;
}

/** Returns the content of Redis as text, without the only field that may contain an e-mail address. */
async function textOfRedis(redis: Redis): Promise<string> {
  const names = await redis.keys('*');
  const values = await Promise.all(names.map((name) => readValue(redis, name)));
  return JSON.stringify([names, values]);
}

async function readValue(redis: Redis, name: string): Promise<unknown> {
  const type = await redis.type(name);
  if (type === 'hash') {
    const { email, ...others } = await redis.hgetall(name);
    return name.startsWith('hw:key:') ? others : { email, ...others };
  }
  if (type === 'string') return (await redis.getBuffer(name))?.toString('latin1');
  if (type === 'set') return redis.smembers(name);
  if (type === 'list') return redis.lrange(name, 0, -1);
  if (type === 'zset') return redis.zrange(name, '0', '-1');
  return redis.xrange(name, '-', '+');
}

/** Lists files in the folder that contain the text. */
async function filesWith(folder: string, secret: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const isIn = (await readFile(path)).includes(secret);
      return isIn ? path.slice(folder.length + 1) : undefined;
    }),
  );
  return paths.filter((path) => path !== undefined);
}

test('keys and e-mail addresses in any part of a request are stored nowhere, except e-mail addresses in the contact field in Redis', async (t) => {
  const service = await aService(t);
  const { dataDir, keys, redis, api, redisPid } = service;
  const owner = { name: 'Shop', email: EMAIL, monthlyLimit: 1 };
  const good = await keys.create(owner, 'live', CREATED);
  const admin = await keys.create(owner, 'live', CREATED, true);
  const inactive = await keys.create(owner, 'test', CREATED);
  await keys.setActive(inactive.prefix, false, new Date());
  const sent = [good.apiKey, admin.apiKey, inactive.apiKey, generateKey('live')];
  const paths = [...routePaths(), '/metrics', '/nothing'];

  const answers: string[] = [];
  for (const marker of [...sent, EMAIL]) {
    answers.push(...(await sendAll(api.port, requestsWith(marker, paths))));
  }
  process.kill(redisPid, 'SIGSTOP');
  for (const marker of [...sent, EMAIL]) {
    answers.push(...(await sendAll(api.port, requestsWith(marker, ['/api/score']))));
  }
  process.kill(redisPid, 'SIGCONT');
  await api.untilHealthy();
  const printed = await runJobs(t, service);

  const statuses = new Set(answers.map((answer) => /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]));
  for (const status of ['200', '400', '401', '403', '404', '405', '429', '431', '503']) {
    t.true(statuses.has(status), `an answer has the status ${status}`);
  }
  const created = answers.flatMap((answer) => /\r\n\{"api_key":"(\w+)"/.exec(answer)?.[1] ?? []);
  t.true(created.length > 0);

  const stored = await textOfRedis(redis);
  t.true(
    stored.includes(good.prefix) && api.log().includes(good.prefix),
    'prefixes are stored and logged',
  );
  for (const key of [...sent, ...created]) {
    const secret = key.slice(14);
    t.deepEqual(await filesWith(dataDir, secret), []);
    for (const [where, all] of Object.entries({ log: api.log(), jobs: printed(), stored })) {
      t.false(all.includes(secret), `the key ${key.slice(0, 14)}… is in ${where}`);
    }
    const echoes = answers.filter((answer) => answer.includes(secret));
    t.is(echoes.length, created.includes(key) ? 1 : 0, 'a key is returned only when it is created');
  }
  for (const name of [EMAIL, EMAIL.replace('@', '%40'), EMAIL.replace('@', '%2540')]) {
    for (const [where, all] of Object.entries({ log: api.log(), jobs: printed(), stored })) {
      t.false(all.includes(name), `the e-mail address is in ${where}`);
    }
    t.false(answers.join('').includes(name), 'no answer contains the e-mail address');
  }
  // Redis stores the e-mail address of the contact, so only the files of Redis may contain the address.
  const holders = await filesWith(dataDir, EMAIL);
  t.true(holders.length > 0 && holders.every((file) => file.startsWith('redis/appendonlydir/')));
});
