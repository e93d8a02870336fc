import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { DAY_MS, firstDay } from '../../../warehouse/ground/dates.ts';
import { readManifests } from '../../../warehouse/lake/lake.ts';
import { dataPaths, providerLakeDir } from '../../../warehouse/paths.ts';
import { listen } from '../../helpers/listen.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aCaaFile } from '../helpers/caa-files.ts';
import { silent } from '../helpers/pipeline-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** The page of a year with links to its files. */
function pageOf(year: string, periods: Iterable<string>): string {
  const link = (period: string) =>
    `<a href="/files/${period}.csv">${period} Punctuality Statistics Full Analysis (CSV document)</a>`;
  return ['199901', ...periods]
    .filter((one) => one === '199901' || one.startsWith(year))
    .map(link)
    .join('');
}

/**
 * Creates a data folder with the pipeline, and a server like that of CAA. `search` works like the schedule at the given
 * time: it searches, loads the found files, and returns their periods.
 */
async function aSchedule(t: ExecutionContext, keepVersions = 3) {
  const served = new Map<string, string>();
  const port = await listen(t, (request, response) => {
    const path = request.url ?? '';
    const year = /^\/(\d{4})\/$/.exec(path)?.[1];
    const body =
      year === undefined ? served.get(path.replace(/\D/g, '')) : pageOf(year, served.keys());
    const type = year === undefined ? 'text/csv' : 'text/html';
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(body);
  });
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const dataDir = await tempDir(t);
  let now = new Date();
  const newSteps = (version: string) =>
    createSteps(
      {
        ...{ dataDir, codeVersion: version, offline: false, keepVersions, now: () => now },
        providerUrls: { caa: `http://127.0.0.1:${port}` },
      },
      redis,
    );
  const state = { steps: newSteps('test') };
  const search = async (at: Date) => {
    now = at;
    const { files, summary } = await state.steps.searchProvider('caa', silent);
    const months: string[] = [];
    for (const { path } of files) {
      const report = await state.steps
        .extractFile({ path, keepDropped: true }, silent)
        .catch((error: Error) => error.name);
      if (typeof report === 'string') months.push(report);
      else months.push(...report.months.map(({ month, outcome }) => `${month} ${outcome}`));
    }
    return { periods: files.map(({ period }) => period), months, summary };
  };
  const own = providerLakeDir(dataPaths(dataDir).lakeDir, 'caa');
  return { served, search, state, newSteps, own };
}

for (const keepVersions of [3, 0]) {
  test.serial(
    `a search does not load a dropped year again with ${keepVersions} former versions, but an operator can`,
    async (t) => {
      const { served, search, state, own } = await aSchedule(t, keepVersions);
      served.set('2024', aCaaFile('2024'));
      t.deepEqual((await search(new Date('2025-01-05'))).months, ['2024-12 written']);
      const ref = { month: '2024-12', tree: 'flights', provider: 'caa' } as const;
      await state.steps.dropMonth(ref, silent);
      const { periods, summary } = await search(new Date('2025-01-06'));
      t.deepEqual(periods, []);
      t.is(summary, 'no month is missing');
      const { steps } = state;
      const path = own.replace(/lake\/providers\/caa$/, 'downloads/caa-2024.csv');
      const left = await steps.extractFile({ path, keepDropped: true }, silent);
      t.is(left.months[0]?.outcome, 'dropped');
      t.deepEqual(await readManifests(own), []);
      await steps.extractFile({ path }, silent);
      t.is((await readManifests(own)).length, 1);
    },
  );
}

test.serial('a refused file waits, unless its content or the reading code changes', async (t) => {
  const { served, search, state, newSteps } = await aSchedule(t);
  const today = new Date();
  const month = firstDay(today.toISOString(), -1).slice(0, 7);
  const label = month.replace('-', '');
  served.set(label, 'run_date,another,layout\nx,y,z\n');
  const first = await search(today);
  t.deepEqual([first.periods, first.months], [[month], ['SourceFormatError']]);
  const again = await search(today);
  t.deepEqual(again.periods, []);
  t.regex(
    again.summary,
    /refused before and unchanged: \d{4}-\d\d \(next attempt .*\); make backfill/,
  );
  state.steps = newSteps('newer code');
  t.deepEqual((await search(today)).months, ['SourceFormatError']);
  t.deepEqual((await search(today)).months, []);
  t.deepEqual((await search(new Date(today.getTime() + 2 * DAY_MS))).months, ['SourceFormatError']);
  served.set(label, aCaaFile(label));
  t.deepEqual((await search(today)).months, [`${month} written`]);
});

test.serial('a good file whose load failed for another reason does not wait', async (t) => {
  const { served, search, own } = await aSchedule(t);
  const today = new Date();
  const month = firstDay(today.toISOString(), -1).slice(0, 7);
  const label = month.replace('-', '');
  served.set(label, aCaaFile(label));
  // Puts a file in the place of the lake's folder, so that no month can be written.
  await mkdir(dirname(own), { recursive: true });
  await writeFile(own, '');
  const failed = await search(today);
  t.is(failed.periods.length, 1);
  t.not(failed.months[0], `${month} written`);
  await rm(own);
  t.deepEqual((await search(today)).months, [`${month} written`]);
});
