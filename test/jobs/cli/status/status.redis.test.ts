import { appendFile, mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import test, { type ExecutionContext } from 'ava';
import type { MonthDetail } from '../../../../jobs/cli/status/month.ts';
import type { Status } from '../../../../jobs/cli/status/types.ts';
import { closeIncident, openIncident } from '../../../../warehouse/live/incidents.ts';
import { readOpsSummary, writeOpsSummary } from '../../../../warehouse/live/ops-summary.ts';
import { saveForecasts, type Forecast } from '../../../../warehouse/live/forecasts.ts';
import { monthDir } from '../../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { NAS_STATUS_KEY } from '../../../../warehouse/live/nas.ts';
import { withWarehouse } from '../../../../warehouse/build/warehouse.ts';
import { aFlight, numberFlights, toCsv } from '../../../helpers/flight-files.ts';
import { createNewsStorage } from '../../../../jobs/wiring/news-storage.ts';
import { aNewsItem } from '../../../helpers/news-items.ts';
import { startCommand } from '../../helpers/command.ts';
import { aHealthWatch } from '../../helpers/health-watch.ts';
import { publishedWorld } from '../../helpers/pipeline-world.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../../jobs/main.ts', import.meta.url));

/** A published July 2018, a refused August, and the `status` command. */
async function aHistory(t: ExecutionContext) {
  const flights = (month: string) =>
    numberFlights(
      Array.from({ length: 200 }, (_, i) => aFlight({ FL_DATE: `${month}-0${1 + (i % 9)}` })),
    );
  const bad = aFlight({ FL_DATE: '2018-08-01', CRS_DEP_TIME: '2575' });
  const csv = toCsv([...flights('2018-07'), ...flights('2018-08'), bad, bad, bad]);
  const { url, redis, dataDir, store } = await publishedWorld(t, csv, ['2018-08']);
  const { version } = store.manifest;
  // The history is of 2018, so the status is stale (exit code 2). The status of one month has no verdict (exit code 0).
  const runStatus = async (args: string[] = [], exitCode = args.includes('--month') ? 0 : 2) => {
    const command = startCommand(
      t,
      ['status', ...args],
      { DATA_DIR: dataDir, REDIS_URL: url },
      MAIN,
    );
    t.is(await command.end, exitCode, command.err());
    return command.out();
  };
  return { url, dataDir, version, runStatus, redis };
}

/**
 * Does the work while two incidents are open: a failed job, and lakes that differ. The second incident cannot be
 * acknowledged.
 */
async function whileFailing<Done>(redis: Redis, work: () => Promise<Done>): Promise<Done> {
  const failed = { key: 'job x', kind: 'job.failed', text: 'x failed', since: '' } as const;
  await openIncident(redis, failed);
  await openIncident(redis, { ...failed, key: 'lakes', kind: 'lakes.differ' });
  const result = await work();
  for (const key of ['job x', 'lakes']) await closeIncident(redis, key, new Date());
  return result;
}

test('status shows months, runs, checks, store and schedules, even while a job uses the warehouse', async (t) => {
  const { url, dataDir, version, runStatus, redis } = await aHistory(t);
  const forecast = (fetchedAt: string): Forecast => ({ fetchedAt, days: new Map() });
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T03:00:00.000Z'];
  await saveForecasts(
    redis,
    new Map([
      ['JFK', forecast(late)],
      ['LAX', forecast(early)],
    ]),
  );
  const news = createNewsStorage(redis);
  await news.changeItems(() => [aNewsItem(), aNewsItem({ id: 'b', endedAt: late })]);
  await news.noteFetched('', new Date(late));
  const stop = { airport: 'SFO', kind: 'stop', severity: 0.8, reason: 'fog' };
  await redis.set(NAS_STATUS_KEY, JSON.stringify({ fetchedAt: late, programs: [stop] }));
  const json = await withWarehouse(dataPaths(dataDir), () => runStatus(['--json']));
  const status = JSON.parse(json) as Status;
  const summaryOf = async (folder: string) => {
    const health = aHealthWatch(t, { redis, url, dataDir: folder });
    await health.judge();
    await health.close();
    return readOpsSummary(redis);
  };
  const secondMachine = await summaryOf(await tempDir(t));
  t.notRegex(secondMachine?.verdict.why.join() ?? '', /store|published/);
  const summary = await whileFailing(redis, () => summaryOf(dataDir));
  // The machine that wrote this summary has a build. A machine without a build replaces the summary only when the
  // summary is outdated.
  const other = { ...summary!, host: 'barn', store: { kept: [] } };
  await writeOpsSummary(redis, other);
  t.is((await readOpsSummary(redis))?.host, hostname());
  const later = new Date(Date.parse(other.at) + 200_000).toISOString();
  await writeOpsSummary(redis, { ...other, at: later });
  t.is((await readOpsSummary(redis))?.host, 'barn');
  t.deepEqual(
    summary?.cells.map(({ month, state, rows, flights }) => [month, state, rows, flights]),
    [
      ['2018-07', 'loaded', 200, 200],
      ['2018-08', 'refused', undefined, undefined],
    ],
  );
  t.deepEqual(
    summary?.runs.map(({ id }) => id),
    status.runs.map(({ id }) => id),
  );
  t.deepEqual(summary?.builds.at(0)?.checks, status.build?.checks);
  t.deepEqual([summary?.verdict.code, summary?.acknowledgeable], [1, 1]);
  t.deepEqual(
    status.months.map(({ month, state }) => [month, state]),
    [
      ['2018-07', 'loaded'],
      ['2018-08', 'refused'],
    ],
  );
  t.deepEqual(
    status.runs.map(({ step, outcome }) => `${step} ${outcome}`),
    ['publish done', 'build done', 'load done', 'extract done'],
  );
  t.like(status.store, { version, months: ['2018-07'], kept: [version] });
  t.like(status.model, { next: { version: status.model.version, origin: 'bundled' } });
  t.is(status.freshness.lastMonth, '2018-07');
  t.true((status.build?.checks.length ?? 0) > 0);
  t.like(status.redis, { state: 'up', storeVersion: version });
  t.deepEqual(status.redis.state === 'up' && status.redis.forecasts, {
    airports: 2,
    newest: late,
    oldest: early,
  });
  const text = await runStatus();
  t.regex(text, /Weather +forecasts of 2 airports, fetched \d+ days ago/);
  t.regex(text, /News +1 stories that affect flights, fetched \d+ days ago/);
  t.regex(text, /FAA +1 measures in force, fetched \d+ days ago/);
  t.regex(text, /Schedule weather/);
  t.regex(text, /│ 2018 │ .* ●p .* ✗ .*│/);
  t.regex(text, new RegExp(`Store +${version}`));
  t.regex(text, /the API serves it/);
  t.regex(text, /Schedule nightly/);
});

test('the status of one month shows its source, the reasons of rejects, and some rejected rows', async (t) => {
  const { runStatus } = await aHistory(t);
  const august = JSON.parse(await runStatus(['--month', '2018-08', '--json'])) as MonthDetail;
  t.like(august, {
    month: '2018-08',
    state: 'refused',
    refusedFile: 'flights.csv',
    refusedWhy: '3 of 203 rows are rejected (invalid_crs_dep_time 3)',
  });
  t.deepEqual(august.rejects, [['invalid_crs_dep_time', 3]]);
  t.deepEqual(
    august.samples.map(({ line, value }) => [line, value]),
    [
      [402, '2575'],
      [403, '2575'],
      [404, '2575'],
    ],
  );
  const july = await runStatus(['--month', '2018-07']);
  t.regex(
    july,
    /^2018-07: loaded\nFlights +partial: 9 of 31 days, 1 airport, 1 airline\nSource +flights\.csv \(bts_short/,
  );
  t.regex(july, /Rows +200 read, 200 loaded, 0 rejected/);
});

test('a month with a damaged manifest is shown with the fix', async (t) => {
  const { dataDir, runStatus } = await aHistory(t);
  await appendFile(join(monthDir(dataPaths(dataDir).lakeDir, '2018-07'), 'manifest.json'), ' ');
  t.regex(await runStatus([], 1), /\? 1 damaged in the lake: ingest its file again/);
  t.regex(
    await runStatus(['--month', '2018-07']),
    /^2018-07: damaged in the lake: ingest its file again/,
  );
});

test('status works without months, without a running Redis and with an incomplete record of a run', async (t) => {
  const dataDir = join(await tempDir(t), 'data');
  const runs = join(dataPaths(dataDir).runsDir, '2026-11');
  await mkdir(runs, { recursive: true });
  await appendFile(join(runs, '20261101T023000000Z-build-abc123.json'), '{"id":');
  const command = startCommand(t, ['status'], { DATA_DIR: dataDir }, MAIN);
  t.is(await command.end, 1, command.err());
  t.regex(command.out(), /No months yet: make run or make ingest FILE=path/);
  t.regex(command.out(), /Store +none yet/);
});

test('if Redis is unreachable, status says so and shows the files on disk', async (t) => {
  const dataDir = await tempDir(t);
  const env = { DATA_DIR: dataDir, REDIS_URL: join(dataDir, 'nobody.sock') };
  const command = startCommand(t, ['status'], env, MAIN);
  t.is(await command.end, 1, command.err());
  t.regex(command.out(), /Failing [^]*Redis is unreachable/);
  t.regex(command.out(), /Queues +unknown, as Redis is unreachable: /);
});
