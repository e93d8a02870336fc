import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { isWellFormedKey } from '../../../warehouse/keyring/format.ts';
import { forkApi } from '../../../bench/stage/api-process.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'hw-api-'));
const redis = await borrowRedis((stop) => test.after.always(stop));
test.after.always(() => rm(dataDir, { recursive: true, force: true }));

function start(t: ExecutionContext, args: string[], env: Record<string, string> = {}) {
  const child = forkApi(args, { REDIS_URL: redis.url, DATA_DIR: dataDir, ...env });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function run(t: ExecutionContext, args: string[], env: Record<string, string> = {}) {
  const child = start(t, args, env);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { out, err, code };
}

async function listening(child: ChildProcess): Promise<number> {
  const [message] = (await once(child, 'message')) as [{ type: string; port: number }];
  return message.type === 'listening' ? message.port : Number.NaN;
}

async function fetchJson(url: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('serve reports its port, answers, and ends within 3 s of SIGTERM despite open connections', async (t) => {
  const child = start(t, ['serve']);
  const lines = text(child.stdout!);
  const port = await listening(child);
  const health = await fetchJson(`http://127.0.0.1:${port}/api/health`);
  t.is(health.status, 503);
  t.like(health.body, { status: 'error', components: { database: 'unavailable' } });

  // Three connections: one is idle after its answer, one has sent nothing, and one has sent incomplete headers.
  for (const bytes of ['GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n', '', 'GET / HTTP/1.1\r\nHo']) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
    socket.write(bytes);
  }
  await sleep(100);
  const startedAt = performance.now();
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  t.is(code, 0);
  // The stop does not wait for the missing headers, which time out after 10 s.
  t.true(performance.now() - startedAt < 8_000);
  const logged = (await lines)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.like(logged[0], { msg: 'api listening', port });
});

test('a port in use is reported in one line with a solution', async (t) => {
  const first = start(t, ['serve']);
  const port = await listening(first);
  const { out, err, code } = await run(t, ['serve'], { PORT: String(port) });
  t.is(code, 1);
  t.is(out, '');
  t.is(
    err,
    `Port ${port} on 127.0.0.1 is taken. Stop the program that uses it, or choose another port: PORT=${port + 1}\n`,
  );
});

test('bad settings end every command with all problems in one line', async (t) => {
  const { out, err, code } = await run(t, ['serve'], { PORT: 'x', API_WORKERS: '0' });
  t.is(code, 1);
  t.is(out, '');
  t.regex(err, /^Bad settings: PORT "x" is not a port .*; API_WORKERS "0" is not [^\n]*\n$/);
});

test('without REDIS_URL serve runs a Redis in the data folder and ends it at exit', async (t) => {
  const child = start(t, ['serve'], { REDIS_URL: '' });
  const port = await listening(child);
  t.is((await fetchJson(`http://127.0.0.1:${port}/api/health`)).status, 503);
  const pid = Number(readFileSync(join(dataDir, 'redis', 'redis.pid'), 'utf8'));
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [0, null]);
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('a serving process loads neither DuckDB nor BullMQ', async (t) => {
  const watch =
    'data:text/javascript,' +
    encodeURIComponent(`import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => {
      // Installed packages, or bundles built for the run.
      if (/\\/(@duckdb|bullmq)\\/|\\/(_duckdb_node_api|bullmq)\\.mjs$/.test(url)) console.error('loads ' + url);
      return next(url, context);
    } });`);
  const child = forkApi(
    ['serve'],
    { REDIS_URL: redis.url, DATA_DIR: dataDir },
    {
      execArgv: ['--import', watch],
    },
  );
  t.teardown(() => child.kill('SIGKILL'));
  const errors = text(child.stderr!);
  await listening(child);
  child.kill('SIGTERM');
  t.is(await errors, '');
});

test('key prints only the key to stdout, and a reminder to stderr', async (t) => {
  const args = ['key', '--name', 'A shop', '--email', 'shop@example.com', '--limit', '250'];
  const { out, err, code } = await run(t, args);
  t.is(code, 0);
  t.regex(out, /^hw_test_\w{32}\n$/);
  t.true(isWellFormedKey(out.trim()));
  t.is(
    err,
    `Save this key now; it cannot be shown again. Limit: 250 calls a month. Prefix: ${out.slice(0, 14)}\n`,
  );
  t.regex((await run(t, [...args, '--live'])).out, /^hw_live_/);
});

test('key reports all problems of its options together', async (t) => {
  const { out, err, code } = await run(t, ['key', '--name', ' ', '--email', 'x', '--limit', '0']);
  t.is(code, 1);
  t.is(out, '');
  t.is(
    err,
    'name must not be blank; email must be an e-mail address; ' +
      'LIMIT must be a whole number from 1 to 10000000, or unlimited\n',
  );
});

test('a key works until it is deactivated, and again after it is activated', async (t) => {
  const port = await listening(start(t, ['serve']));
  const admin = (await run(t, ['admin-key', '--name', 'Ops'])).out.trim();
  const prefix = admin.slice(0, 14);
  const create = async () => {
    const params = new URLSearchParams({ name: 'x', email: 'a@b.example', api_key: admin });
    return (await fetchJson(`http://127.0.0.1:${port}/api/keys/create?${params}`)).status;
  };
  t.is(await create(), 200);
  const off = await run(t, ['key-deactivate', '--prefix', prefix]);
  t.deepEqual(off, { out: `Key ${prefix} is deactivated.\n`, err: '', code: 0 });
  t.is(await create(), 401);
  await run(t, ['key-activate', '--prefix', prefix]);
  t.is(await create(), 200);
});

test('an unknown prefix is an error that names it', async (t) => {
  const { out, err, code } = await run(t, ['key-deactivate', '--prefix', 'hw_live_nobody']);
  t.deepEqual(
    { out, err, code },
    { out: '', err: 'No key has the prefix "hw_live_nobody". To list keys: make keys\n', code: 1 },
  );
});

test('without Redis a key command fails at once with a message', async (t) => {
  const env = { REDIS_URL: join(dataDir, 'none.sock') };
  const { err, code } = await run(t, ['key', '--name', 'x', '--email', 'a@b.example'], env);
  t.is(code, 1);
  t.is(err, `No Redis answers at ${env.REDIS_URL} (REDIS_URL)\n`);
});
