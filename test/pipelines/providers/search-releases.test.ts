import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createHttpGet } from '../../../pipelines/http-get.ts';
import { downloadPlace } from '../../../pipelines/flights/download-place.ts';
import { BITRE } from '../../../pipelines/providers/bitre/provider.ts';
import { CAA_RELEASES } from '../../../pipelines/providers/caa/releases.ts';
import { findRefusedFiles, type LoadAttempt } from '../../../pipelines/providers/refused-files.ts';
import { releaseFileName, type ReleaseIndex } from '../../../pipelines/providers/releases.ts';
import { searchReleases } from '../../../pipelines/providers/search-releases.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { listen } from '../../helpers/listen.ts';

/** A search of a provider whose server has these files, by path. Every request is answered with the same bytes. */
async function aSearch(
  t: ExecutionContext,
  { name, index, served }: { name: string; index: ReleaseIndex; served: Map<string, string> },
) {
  const port = await listen(t, (request, response) => {
    const body = served.get(request.url ?? '');
    const type = body?.startsWith('<') ? 'text/html' : 'text/csv';
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(body);
  });
  const folder = await aFolder(t);
  const attempts: LoadAttempt[] = [];
  const lake = { months: [] as string[], dropped: [] as string[], files: new Set<string>() };
  const search = (now: string) =>
    searchReleases(
      {
        ...{ index, address: `http://127.0.0.1:${port}`, get: createHttpGet({ pauseMs: 0 }) },
        readMonths: async () => lake,
        isInLake: async (sha256) => lake.files.has(sha256),
        refused: findRefusedFiles(attempts, new Date(now)),
        nameOf: (release) => releaseFileName(name, release),
        placeOf: (file) => downloadPlace(folder, file),
        now: () => new Date(now),
      },
      () => undefined,
    );
  const refuse = (files: { path: string; sha256: string }[], at: string) =>
    attempts.push(
      ...files.map((file) => ({
        ...{ name: path.basename(file.path), sha256: file.sha256, at },
        isRefused: true,
      })),
    );
  return { lake, search, refuse };
}

const caaPage = (...periods: string[]) =>
  periods
    .map((period) => `<a href="/${period}.csv">${period} Full Analysis (CSV document)</a>`)
    .join('');

test('a file of many months of which one was refused is tried again, although the lake has the others', async (t) => {
  const served = new Map([['/otp_time_series_web.csv', 'the whole series']]);
  const world = await aSearch(t, { name: 'bitre', index: BITRE.releases!, served });
  const { files } = await world.search('2026-03-01T02:00:00Z');
  t.deepEqual(
    files.map(({ period }) => period),
    ['series'],
  );
  world.lake.files.add(files[0]!.sha256);
  t.deepEqual((await world.search('2026-03-01T03:00:00Z')).files, []);
  world.refuse(files, '2026-03-01T02:00:00Z');
  const waiting = await world.search('2026-03-02T02:00:00Z');
  t.deepEqual(waiting.files, []);
  t.regex(waiting.summary, /series \(next attempt 2026-03-03\)/);
  t.is((await world.search('2026-03-03T02:00:00Z')).files.length, 1);
});

test('of more than twelve refused files, each is tried again', async (t) => {
  // The lake has each December, so the pages of the two years need no annual file.
  const missing = [...monthsBetween('2023-01', '2023-11'), ...monthsBetween('2024-01', '2024-11')];
  const periods = missing.map((month) => month.replace('-', ''));
  const served = new Map(periods.map((period) => [`/${period}.csv`, `bad ${period}`]));
  for (const year of ['2023', '2024']) {
    served.set(`/${year}/`, caaPage(...periods.filter((period) => period.startsWith(year))));
  }
  const world = await aSearch(t, { name: 'caa', index: CAA_RELEASES, served });
  world.lake.months = ['2022-12', '2023-12', '2024-12'];
  const tried = new Set<string>();
  for (const day of ['01', '02', '03', '04', '05', '06', '07', '08']) {
    const now = `2025-01-${day}T02:00:00Z`;
    const { files } = await world.search(now);
    world.refuse(files, now);
    if (day >= '03') for (const { period } of files) tried.add(period);
  }
  t.deepEqual([...tried].toSorted(), missing);
});

test('a year that is left out because of a dropped month does not mean that files have moved', async (t) => {
  const served = new Map([['/2024/', caaPage('2024')]]);
  const world = await aSearch(t, { name: 'caa', index: CAA_RELEASES, served });
  world.lake.months = ['2023-12', '2024-12'];
  world.lake.dropped = ['2024-05'];
  const { files, summary } = await world.search('2025-01-05T02:00:00Z');
  t.deepEqual(files, []);
  t.is(
    summary,
    'searched 2024-01 to 2024-11: nothing new; left out, because a month was dropped: 2024',
  );
  world.lake.dropped = [];
  served.clear();
  await t.throwsAsync(world.search('2025-01-05T02:00:00Z'), {
    message: /the files may have moved/,
  });
});
