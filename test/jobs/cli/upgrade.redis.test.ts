import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { freePorts } from '../../../bench/stage/free-ports.ts';
import { STORE_SCHEMA_VERSION } from '../../../warehouse/store/tables.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { startCommand, until } from '../helpers/command.ts';
import { programHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FLIGHTS = join(ROOT, '../shared/data/flights/pnw_2023_01-10.parquet');
const PRODUCT = [
  ...['api', 'jobs', 'models', 'pipelines', 'warehouse'],
  ...['package.json', 'package-lock.json'],
];
const NEXT_LAYOUT = STORE_SCHEMA_VERSION + 1;

/** Copies the code and makes the copy the next version, with another store layout and one more migration. */
async function makeNextVersion(folder: string): Promise<string> {
  for (const part of PRODUCT) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tables = join(folder, 'warehouse/store/tables.ts');
  const code = await readFile(tables, 'utf8');
  await writeFile(
    tables,
    code.replace(
      `STORE_SCHEMA_VERSION = ${STORE_SCHEMA_VERSION}`,
      `STORE_SCHEMA_VERSION = ${NEXT_LAYOUT}`,
    ),
  );
  await writeFile(
    join(folder, 'warehouse/migrations/0002_next.sql'),
    'alter table ops.check_results rename column failures to failures_before;\n' +
      'alter table ops.check_results rename column failures_before to failures',
  );
  return folder;
}

type Service = {
  run: (root: string, ...args: string[]) => Promise<string>;
  /** Starts an API of the version in `root`; returns its address once it answers. */
  startApi: (root: string) => Promise<{ address: string; stop: () => Promise<void> }>;
};

async function makeService(t: ExecutionContext): Promise<Service> {
  const redis = await borrowRedis((stop) => t.teardown(stop));
  const env = { DATA_DIR: await tempDir(t), REDIS_URL: redis.url, OFFLINE: '1' };
  return {
    run: async (root, ...args) => {
      const command = startCommand(t, args, env, join(root, 'jobs/main.ts'));
      t.is(await command.end, 0, `${args.join(' ')}: ${command.out()}${command.err()}`);
      return command.out();
    },
    startApi: async (root) => {
      const [port = 0, metricsPort = 0] = await freePorts(2);
      const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
      const api = startCommand(t, ['serve'], { ...env, ...ports }, join(root, 'jobs/main.ts'));
      const address = `http://127.0.0.1:${port}`;
      await until(`the API answers: ${api.err()}`, () =>
        fetch(`${address}/api/health`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      const stop = async () => {
        api.process.kill('SIGTERM');
        await api.end;
      };
      return { address, stop };
    },
  };
}

/**
 * Calls `/api/score` at `address()` again and again; returns the status and store version of each answer. On a busy
 * machine, Redis may answer after the deadline of the key check. Such a call is repeated once, as by any client.
 */
function callScores(address: () => string, apiKey: string) {
  const answers: { status: number; version: string | null }[] = [];
  const stop = new AbortController();
  const path = `/api/score?origin=SEA&dest=PDX&airline=AS&date=${tomorrow()}&api_key=${apiKey}`;
  const call = async () => {
    const answer = await fetch(`${address()}${path}`).catch(() => undefined);
    const text = await answer?.text().catch(() => '');
    const version = answer?.headers.get('X-Store-Version') ?? null;
    const isRedisLate = answer?.status === 503 && text?.includes('cannot check API keys') === true;
    return { answer: { status: answer?.status ?? 0, version }, isRedisLate };
  };
  const calls = (async () => {
    while (!stop.signal.aborted) {
      const first = await call();
      answers.push(first.isRedisLate ? (await call()).answer : first.answer);
      await sleep(20);
    }
  })();
  return {
    answers,
    end: async () => {
      stop.abort();
      await calls;
    },
  };
}

function tomorrow(): string {
  return new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
}

test('an upgrade to another layout with a new migration, and the way back, fail no call', async (t) => {
  const next = await makeNextVersion(await tempDir(t));
  const backups = await tempDir(t);
  const { run, startApi } = await makeService(t);
  await run(ROOT, 'ingest', FLIGHTS, '--publish');
  const owner = ['--name', 'Caller', '--email', 'caller@headwind.example', '--limit', '1000000'];
  const output = await run(ROOT, 'key', ...owner);
  const [apiKey = ''] = /hw_test_\w+/.exec(output) ?? [];

  let api = await startApi(ROOT);
  const caller = callScores(() => api.address, apiKey);
  const moveTo = async (root: string) => {
    const former = api;
    const seen = new Set(caller.answers.map(({ version }) => version));
    api = await startApi(root);
    await until('the new API answers calls with its store', () =>
      caller.answers.some(({ version }) => version !== null && !seen.has(version)),
    );
    await former.stop();
  };
  const there = await run(next, 'upgrade', '--to', backups);
  await moveTo(next);
  const back = await run(ROOT, 'upgrade', '--to', backups);
  await moveTo(ROOT);
  await caller.end();

  t.regex(there, /Warehouse gets 0002_next\.sql/);
  t.regex(
    there,
    new RegExp(`layout ${STORE_SCHEMA_VERSION}, and this version reads layout ${NEXT_LAYOUT}`),
  );
  t.regex(back, /newer version: it is rebuilt from the lake/);
  t.deepEqual([...new Set(caller.answers.map(({ status }) => status))], [200]);
  const versions = new Set(caller.answers.map(({ version }) => version));
  t.is(versions.size, 3, 'the store before, the store of the next version, and the store after');
});

test('while a worker runs, an upgrade changes nothing and names the worker', async (t) => {
  const backups = await tempDir(t);
  const headwind = await programHere(t, await tempDir(t));
  const { code, err } = await headwind('upgrade', '--to', backups);
  t.is(code, 1);
  t.regex(err, new RegExp(`1 worker would run the jobs of the upgrade: process ${process.pid} on`));
  t.deepEqual(await readdir(backups), []);
});
