import { mkdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { tableHashes } from '../../../bench/chaos/state.ts';
import { writeBtsMonth } from '../../../bench/generate/bts-month.ts';
import { connectedWorkers } from '../../../jobs/queue/connected-workers.ts';
import { openQueuesWithoutEvents } from '../../../jobs/queue/queues.ts';
import { btsFileName, monthsBetween } from '../../../pipelines/flights/months.ts';
import { listRunIds } from '../../../warehouse/lake/ledger.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { startCommand, until } from '../helpers/command.ts';
import { lakeFiles, loadedTables } from '../helpers/lake-copy.ts';
import { programHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));

/** A folder with zips of 109 columns and 200 rows, named like BTS's, and the command that backfills them. */
async function zipsOf(t: ExecutionContext, from: string, to: string) {
  const folder = await tempDir(t);
  const source = join(folder, 'zips');
  await mkdir(source);
  for (const month of monthsBetween(from, to)) {
    await writeBtsMonth(join(source, btsFileName(month)), { month, rows: 200 });
  }
  const backfill = ['backfill', '--from', from, '--to', to, '--source', source];
  return { backfill, dataDir: (name: string) => join(folder, name) };
}

/** Two workers with the same data folder and Redis, both ready. */
async function twoWorkers(t: ExecutionContext, dataDir: string) {
  const redis = await borrowRedis((stop) => t.teardown(stop));
  const env = { DATA_DIR: dataDir, REDIS_URL: redis.url, LOG_LEVEL: 'info' };
  const workers = [1, 2].map(() => startCommand(t, ['worker'], env, MAIN));
  await until('both are ready', () => workers.every(({ out }) => /worker ready/.test(out())));
  return { env, workers };
}

/** Returns the number of extracts in the ledger. */
async function extractsIn(dataDir: string): Promise<number> {
  const ids = await listRunIds(dataPaths(dataDir).runsDir);
  return ids.filter((id) => id.includes('-extract-')).length;
}

test.serial(
  'two workers end with the same lake and marts as one worker, even if one of them and the command are killed',
  async (t) => {
    const { backfill, dataDir } = await zipsOf(t, '2025-01', '2025-06');
    const [one, two] = [dataDir('one'), dataDir('two')];
    const single = startCommand(t, backfill, { DATA_DIR: one }, MAIN);
    t.is(await single.end, 0, single.err());
    t.regex(single.out(), /6 done, 0 skipped, 0 failed/);

    const { env, workers } = await twoWorkers(t, two);
    const killed = startCommand(t, backfill, env, MAIN);
    const both = () => workers.every(({ out }) => /job done/.test(out()));
    await until('both have completed a job', both);
    killed.process.kill('SIGKILL');
    const queues = openQueuesWithoutEvents(env.REDIS_URL);
    t.teardown(queues.close);
    const connected = async () =>
      (await connectedWorkers(queues)).map(({ host, pid }) => [host, pid]);
    const names = workers.map(({ process: { pid = 0 } }) => [hostname(), pid]);
    t.deepEqual(new Set(await connected()), new Set(names));
    workers[0]!.process.kill('SIGKILL');
    await killed.end;
    await until('one worker is left', async () => (await connected()).length === 1);
    t.deepEqual(await connected(), names.slice(1));
    const again = startCommand(t, backfill, env, MAIN);
    t.is(await again.end, 0, again.err());
    t.regex(again.out(), /│ 2025-06 │/);
    t.notRegex(again.out(), /│ failed/);

    t.deepEqual(await lakeFiles(two), await lakeFiles(one));
    t.deepEqual(await loadedTables(two), await loadedTables(one));
    const log = await readFile(join(one, 'logs/worker.log'), 'utf8');
    t.is(log.match(/"job":"extract-flights-[\da-f-]+","msg":"job started"/g)?.length, 6);

    for (const dir of [one, two]) {
      const run = await programHere(t, dir);
      const build = await run('features');
      t.is(build.code, 0, build.err);
    }
    const marts = await tableHashes(dataPaths(two).warehouseFile);
    t.deepEqual(marts, await tableHashes(dataPaths(one).warehouseFile));
    t.true('marts.route_carrier_otp' in marts);
  },
);

test.serial('two commands that request the same months read each month once', async (t) => {
  const { backfill, dataDir } = await zipsOf(t, '2025-01', '2025-03');
  const dir = dataDir('shared');
  const { env } = await twoWorkers(t, dir);
  const commands = [1, 2].map(() => startCommand(t, backfill, env, MAIN));
  for (const { end, out, err } of commands) {
    t.is(await end, 0, err());
    t.regex(out(), /│ total +│ \d done, \d skipped, 0 failed/);
  }
  // The second command either follows the jobs of the first or finds them done; no month is read twice.
  t.is(await extractsIn(dir), 3);
});
