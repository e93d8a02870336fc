import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import { isAlive, startCommand, until, type Command } from '../../helpers/command.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { startRedis } from '../../../helpers/redis.ts';
import { fileTeardown, type Teardown } from '../../../helpers/file-teardown.ts';
import { freePorts } from '../../../../bench/stage/free-ports.ts';

type Home = Awaited<ReturnType<typeof aHome>>;
const file = fileTeardown((stop) => test.after.always(stop));

/** Starts a run once for several tests, as a start makes five processes. */
function startOnce(prepare: (home: Home) => Promise<void> = async () => undefined) {
  let started: Promise<Home & { run: Command }> | undefined;
  return () => {
    started ??= aHome(file).then(async (home) => {
      await prepare(home);
      return { ...home, run: await home.start() };
    });
    return started;
  };
}

async function aHome(t: Teardown) {
  const folder = await tempDir(t);
  const seed = join(folder, 'seed.parquet');
  await writeFile(seed, JSON.stringify({ months: ['2018-01', '2018-02'] }));
  const dataDir = join(folder, 'data');
  const [port = 0] = await freePorts(1);
  const env = { DATA_DIR: dataDir, SEED_FILE: seed, PORT: String(port) };
  return {
    env,
    dataDir,
    port,
    calls: () => readFile(join(dataDir, 'calls'), 'utf8').catch(() => ''),
    start: async () => {
      const run = startCommand(t, ['run'], env);
      await until('the banner', () => run.out().includes('Headwind is running'));
      return run;
    },
    ask: async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      return answer?.status;
    },
    redisPid: async () => Number(await readFile(join(dataDir, 'redis', 'redis.pid'), 'utf8')),
  };
}

test.serial('Ctrl-C ends a run whose Redis was killed', async (t) => {
  const { env } = await aHome(t);
  const redis = await startRedis((stop) => t.teardown(stop));
  const run = startCommand(t, ['run'], { ...env, REDIS_URL: redis.url });
  await until('the banner', () => run.out().includes('Headwind is running'));
  await redis.kill();
  run.process.kill('SIGINT');
  await until('the run has ended', () => run.process.exitCode !== null);
  t.is(run.process.exitCode, 0);
  t.regex(run.err(), /Headwind has stopped/);
});

/** The one-time address of the operators' pages in the banner. */
const operateOf = (run: Command) =>
  /Operate +(\S+\/ops\/login\?token=\S+)/.exec(run.out())?.[1] ?? 'http://none';

// Serial, as each test starts up to five processes.
test.serial(
  'the first start loads the seed and publishes; the next one computes nothing',
  async (t) => {
    const { start, calls, dataDir, port } = await aHome(t);
    const first = await start();
    const all =
      'extract seed.parquet\nextracted seed.parquet\nload 2018-01 2018-02\nfeatures\npublish\n';
    t.is(await calls(), all);
    const key = /hw_test_\w{32}/.exec(first.out())?.[0] ?? 'none';
    t.true(
      first.out().includes(`http://127.0.0.1:${port}/api/score?origin=JFK&dest=LAX&airline=DL`),
    );
    t.true(first.out().includes(`date=2026-12-21&api_key=${key}`));
    t.true(first.out().includes(`http://127.0.0.1:${port}/docs\n`));
    t.is((await stat(join(dataDir, 'demo-key'))).mode & 0o777, 0o600);
    const operate = operateOf(first);
    t.is(new URL(operate).origin, `http://127.0.0.1:${port}`);
    first.process.kill('SIGTERM');
    t.is(await first.end, 0);
    const token = new URL(operate).searchParams.get('token') ?? '';
    t.is(token.length, 43);
    for (const name of await readdir(dataDir, { recursive: true })) {
      const content = await readFile(join(dataDir, name)).catch(() => Buffer.alloc(0));
      t.false(content.includes(token), name);
    }

    const second = await start();
    t.is(await calls(), all);
    t.true(second.out().includes(key));
    t.not(operateOf(second), operate);
  },
);

const LOST_KEY = `hw_test_${'0'.repeat(32)}`;

/** A run with loaded months and a demo key that its Redis does not have. */
const onLoadedMonths = startOnce(async ({ dataDir }) => {
  await mkdir(join(dataDir, 'lake', 'flights', 'year=2019'), { recursive: true });
  await writeFile(join(dataDir, 'demo-key'), LOST_KEY);
});

test.serial('a demo key that Redis does not have is replaced', async (t) => {
  const { run, dataDir } = await onLoadedMonths();
  t.false(run.out().includes(LOST_KEY));
  const saved = await readFile(join(dataDir, 'demo-key'), 'utf8');
  t.true(run.out().includes(`api_key=${saved.trim()}'`));
});

test.serial('loaded months are published without loading the seed', async (t) => {
  const { calls } = await onLoadedMonths();
  t.is(await calls(), 'features\npublish\n');
});

test.serial(
  'a second run with the same data folder is refused and names the port of the first',
  async (t) => {
    const { env, port, dataDir } = await onLoadedMonths();
    const second = startCommand(t, ['run'], env);
    t.is(await second.end, 1);
    t.is(
      second.err(),
      `Headwind is already running on port ${port} with the data folder ${dataDir}\n`,
    );
  },
);

test.serial('an API that dies is restarted', async (t) => {
  const { run, ask } = await onLoadedMonths();
  await ask('/crash');
  await until('the API answers again', async () => (await ask('/api/health')) === 200);
  t.regex(run.err(), /API ended \(exit code 3\); restarted/);
});

// This test ends the run that the tests above share, so it comes after them.
test.serial('Ctrl-C stops the child processes and then Redis', async (t) => {
  const { run, ask, redisPid } = await onLoadedMonths();
  const redis = await redisPid();
  process.kill(-(run.process.pid ?? 0), 'SIGINT');
  t.is(await run.end, 0);
  t.true(run.err().endsWith('Headwind has stopped.\n'));
  t.is(await ask('/api/health'), undefined);
  t.false(isAlive(redis));
});

test.serial('a port in use is an error at once', async (t) => {
  const { env, port } = await aHome(t);
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const run = startCommand(t, ['run'], env);
  t.is(await run.end, 1);
  t.regex(run.err(), new RegExp(`^Port ${port} is in use by another program`));
});

test.serial('an API that cannot start ends the run with its reason', async (t) => {
  const { env, redisPid } = await aHome(t);
  const run = startCommand(t, ['run'], { ...env, FAKE_API_BROKEN: '1' });
  t.is(await run.end, 1);
  t.regex(run.err(), /API ended \(exit code 4\): no schema file\n$/);
  await t.throwsAsync(redisPid);
});

test.serial(
  'if the run is killed, its child processes and Redis end too, and the next start works',
  async (t) => {
    const { start, ask, redisPid } = await aHome(t);
    const run = await start();
    const redis = await redisPid();
    run.process.kill('SIGKILL');
    await until('the API is gone', async () => (await ask('/api/health')) === undefined);
    await until('Redis is gone', () => !isAlive(redis));
    await start();
    t.is(await ask('/api/health'), 200);
  },
);

test.serial('a killed first start is continued by the next start', async (t) => {
  const { start, calls, env, dataDir } = await aHome(t);
  await writeFile(env.SEED_FILE, JSON.stringify({ months: ['2018-01'], takesMs: 700 }));
  const first = startCommand(t, ['run'], env);
  await until('the extract starts', async () => (await calls()) === 'extract seed.parquet\n');
  first.process.kill('SIGKILL');
  // Some months of the seed are already in the lake; that must not count as a loaded history.
  await mkdir(join(dataDir, 'lake', 'flights', 'year=2018'), { recursive: true });
  await start();
  t.regex(await calls(), /load 2018-01\nfeatures\npublish\n$/);
});
