import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import { readConfig } from '../../../jobs/config.ts';
import { pingRedis } from '../../../jobs/processes/redis-client.ts';
import { isSentinelAddress, formatAddress } from '../../../warehouse/ground/redis-address.ts';
import { refuseUnsafeRedis } from '../../../jobs/processes/redis-safety.ts';
import { openRedis, type RedisSession } from '../../../jobs/processes/redis-session.ts';
import { borrowRedis, startRedis } from '../../helpers/redis.ts';
import { isAlive, until } from '../helpers/command.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir });

async function serverPid(dataDir: string): Promise<number> {
  return Number(await readFile(join(dataDir, 'redis', 'redis.pid'), 'utf8'));
}

async function write(session: RedisSession, key: string, value: string): Promise<void> {
  const redis = new Redis(session.url);
  await redis.set(key, value);
  await redis.quit();
}

async function read(session: RedisSession, key: string): Promise<string | null> {
  const redis = new Redis(session.url);
  const value = await redis.get(key);
  await redis.quit();
  return value;
}

test('the server passes every write to the kernel before it answers, and never evicts keys', async (t) => {
  const session = await openRedis(configOf(await tempDir(t)), 'test');
  const redis = new Redis(session.url);
  const settings = ['appendonly', 'appendfsync', 'maxmemory-policy'];
  const values = await Promise.all(settings.map((name) => redis.config('GET', name)));
  t.deepEqual(values.flat(), [
    'appendonly',
    'yes',
    'appendfsync',
    'no',
    'maxmemory-policy',
    'noeviction',
  ]);
  redis.disconnect();
  await session.close();
});

test('the last session stops the server, and the next session reads what was written', async (t) => {
  const dataDir = await tempDir(t);
  const first = await openRedis(configOf(dataDir), 'first');
  const second = await openRedis(configOf(dataDir), 'second');
  const pid = await serverPid(dataDir);
  await write(first, 'key', 'kept');

  await first.close();
  t.true(isAlive(pid));
  t.is(await pingRedis(second.url), 'ready');
  await second.close();
  t.false(isAlive(pid));

  const third = await openRedis(configOf(dataDir), 'third');
  t.is(await read(third, 'key'), 'kept');
  await third.close();
});

test('the server listens on a socket that only its owner can use, and never evicts keys', async (t) => {
  const dataDir = await tempDir(t);
  const session = await openRedis(configOf(dataDir), 'test');
  t.is((await stat(session.url)).mode & 0o777, 0o700);
  const redis = new Redis(session.url);
  const settings = await redis.config('GET', 'port', 'appendonly', 'maxmemory-policy');
  t.deepEqual(Object.fromEntries(pairs(settings)), {
    port: '0',
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
  });
  await redis.quit();
  await session.close();
});

test('commands that start at once share one server', async (t) => {
  const dataDir = await tempDir(t);
  const names = ['a', 'b', 'c', 'd'];
  const sessions = await Promise.all(names.map((name) => openRedis(configOf(dataDir), name)));
  t.is(new Set(sessions.map(({ url }) => url)).size, 1);
  await write(sessions[0] as RedisSession, 'key', 'value');
  t.is(await read(sessions[3] as RedisSession, 'key'), 'value');
  const pid = await serverPid(dataDir);
  await Promise.all(sessions.map((session) => session.close()));
  t.false(isAlive(pid));
});

test('if the path of a data folder is too long for a socket, the socket is in a private temporary folder', async (t) => {
  const dataDir = join(await tempDir(t), 'deep'.repeat(20), 'deeper'.repeat(20));
  const first = await openRedis(configOf(dataDir), 'first');
  t.true(Buffer.byteLength(first.url) <= 107);
  t.is((await stat(dirname(first.url))).mode & 0o777, 0o700);
  const second = await openRedis(configOf(dataDir), 'second');
  t.is(second.url, first.url);
  await first.close();
  await second.close();
  await t.throwsAsync(stat(dirname(first.url)), { code: 'ENOENT' });
});

test('files of a killed server do not stop the next server from starting', async (t) => {
  const dataDir = await tempDir(t);
  await mkdir(join(dataDir, 'redis'), { recursive: true });
  const session = await openRedis(configOf(dataDir), 'first');
  await write(session, 'key', 'kept');
  const pid = await serverPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await until('the server is dead', () => !isAlive(pid));
  // Another process has the id of the dead server, as after a restart of the machine.
  await writeFile(join(dataDir, 'redis', 'redis.pid'), String(process.pid));
  const next = await openRedis(configOf(dataDir), 'next');
  t.is(await read(next, 'key'), 'kept');
  await session.close();
  await next.close();
});

test('a server that is killed while in use is restarted, and one line says so', async (t) => {
  const dataDir = await tempDir(t);
  const lines: string[] = [];
  const session = await openRedis(configOf(dataDir), 'first', (line) => lines.push(line));
  await write(session, 'key', 'kept');
  process.kill(await serverPid(dataDir), 'SIGKILL');
  await until('the server answers again', async () => (await pingRedis(session.url)) === 'ready');
  t.is(await read(session, 'key'), 'kept');
  await session.close();
  const log = join(dataDir, 'redis', 'redis.log');
  t.deepEqual(lines, [`Redis ended while in use; restarted (log: ${log})`]);
  t.is(await pingRedis(session.url), 'unreachable');
});

test('without redis-server the error says what to do', async (t) => {
  const dataDir = await tempDir(t);
  const script = `const { openRedis } = await import(${JSON.stringify(moduleOf('processes/redis-session'))});
    const { readConfig } = await import(${JSON.stringify(moduleOf('config'))});
    await openRedis(readConfig(process.env), 'test').catch((error) => console.log(error.message));
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { DATA_DIR: dataDir, PATH: '/nowhere' },
  });
  const [message] = (await once(child.stdout, 'data')) as [Buffer];
  t.is(message.toString(), 'Redis is not installed: run make setup, or set REDIS_URL\n');
});

test('a Redis of REDIS_URL is used and left running', async (t) => {
  const redis = await borrowRedis((stop) => t.teardown(stop));
  const config = readConfig({ DATA_DIR: await tempDir(t), REDIS_URL: redis.url });
  const session = await openRedis(config, 'test');
  t.deepEqual([session.url, session.isManaged], [redis.url, false]);
  await session.close();
  t.is(await pingRedis(redis.url), 'ready');
});

test('a Redis of REDIS_URL that does not answer is an error without its password', async (t) => {
  const config = readConfig({ REDIS_URL: 'redis://:secret@127.0.0.1:1' });
  await t.throwsAsync(openRedis(config, 'test'), {
    message: 'No Redis answers at 127.0.0.1:1 (REDIS_URL)',
  });
});

test('a rejected password is an error that does not contain the password', async (t) => {
  const redis = await startRedis((stop) => t.teardown(stop));
  const admin = new Redis(redis.url);
  t.teardown(() => admin.disconnect());
  await admin.config('SET', 'port', '0', 'requirepass', 'right');
  t.is(await pingRedis(redis.url), 'refused');
  const config = readConfig({ REDIS_URL: redis.url });
  await t.throwsAsync(openRedis(config, 'test'), {
    message: `The Redis at ${redis.url} rejects the user or password (REDIS_URL)`,
  });
});

test('an address is shown without user, password and options', (t) => {
  t.is(formatAddress('redis://user:s3@cret@cache.example:6380/2?password=x'), 'cache.example:6380');
  t.is(formatAddress('/run/redis.sock'), '/run/redis.sock');
  const sentinels = 'sentinel://user:s3%40cret@one.example,two.example:26380/headwind/2';
  t.is(formatAddress(sentinels), 'one.example:26379, two.example:26380');
  for (const wrong of ['sentinel://one.example', 'sentinel:///x', 'sentinel://a b/x']) {
    t.false(isSentinelAddress(wrong), wrong);
  }
});

function moduleOf(name: string): string {
  return new URL(`../../../jobs/${name}.ts`, import.meta.url).href;
}

function pairs(reply: unknown): [string, string][] {
  if (!Array.isArray(reply)) return Object.entries(reply as Record<string, string>);
  const flat = reply as string[];
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}

test('a Redis that can lose keys is refused with the settings to change, unless REDIS_MAY_LOSE is set', async (t) => {
  const { url, stop } = await startRedis((end) => t.teardown(end));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const config = readConfig({ REDIS_URL: url });
  const warnings: string[] = [];
  const check = (env = config) => refuseUnsafeRedis(env, (text) => warnings.push(text));
  await t.notThrowsAsync(check());
  await redis.config('SET', 'appendfsync', 'everysec');
  await check();
  t.regex(warnings.join(), /up to two seconds .* To fix this: appendfsync no/);
  await redis.config('SET', 'maxmemory', '100mb');
  await t.notThrowsAsync(check());
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await t.throwsAsync(check(), {
    message: /\(allkeys-lru\)\. Set maxmemory-policy noeviction in the configuration of Redis\. If/,
  });
  await redis.config('SET', 'appendonly', 'no');
  const error = await t.throwsAsync(check(), { name: 'CommandError' });
  t.regex(
    error?.message ?? '',
    /Set appendonly yes, maxmemory-policy noeviction in the configuration of Redis\. If/,
  );
  await t.notThrowsAsync(check(readConfig({ REDIS_URL: url, REDIS_MAY_LOSE: '1' })));
  await t.notThrowsAsync(check(readConfig({})));
  // An unreachable Redis may start later.
  await stop();
  await t.notThrowsAsync(check());
});

test('a Redis that rejects writes because its disk is full is ready', async (t) => {
  const full = createServer((client) => {
    client.on('data', () => client.write('-MISCONF Errors writing to the AOF file\r\n'));
    client.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(full, 'listening');
  t.teardown(() => full.close());
  const { port } = full.address() as { port: number };
  t.is(await pingRedis(`redis://127.0.0.1:${port}`), 'ready');
});
