import test from 'ava';
import { SourceOutageError } from '../../../pipelines/errors.ts';
import {
  findMonths,
  findWantedMonths,
  type LakeCoverage,
} from '../../../pipelines/flights/find-months.ts';
import type { HttpGet } from '../../../pipelines/http-get.ts';

const EMPTY_LAKE: LakeCoverage = {
  months: [],
  ownMonths: [],
  incompleteMonths: [],
  droppedMonths: [],
  weatherMonths: [],
};
const NOVEMBER = new Date('2026-11-22T01:10:00Z');

/** Fakes a server with these months and records the requests. */
function aServer(published: string[], status = 404) {
  const requests: string[] = [];
  const get: HttpGet = async ({ url, method }) => {
    const [, year, month] = /_(\d{4})_(\d+)\.zip$/.exec(url) ?? [];
    const name = `${year}-${String(month).padStart(2, '0')}`;
    requests.push(`${method} ${name}`);
    return {
      status: published.includes(name) ? 200 : status,
      headers: new Headers(),
      cancel: async () => undefined,
    } as Awaited<ReturnType<HttpGet>>;
  };
  return { requests, get };
}

function search(lake: Partial<LakeCoverage>, { get }: { get: HttpGet }) {
  const deps = {
    server: { base: 'https://bts.example' },
    get,
    readCoverage: async () => ({ ...EMPTY_LAKE, ...lake }),
  };
  return findMonths({ ...deps, now: () => NOVEMBER }, () => undefined);
}

test('months after the last one are requested by HEAD, newest first, also after an unpublished month', async (t) => {
  const server = aServer(['2026-07', '2026-09']);
  const report = await search({ months: ['2026-06'] }, server);
  t.deepEqual(
    server.requests,
    ['2026-10', '2026-09', '2026-08', '2026-07'].map((month) => `HEAD ${month}`),
  );
  t.deepEqual(report.out, ['2026-09', '2026-07']);
});

test('with 81 gaps, the newest published month is still the first of six', async (t) => {
  const gaps = findWantedMonths({ ...EMPTY_LAKE, ownMonths: ['2013-01', '2019-12'] }, NOVEMBER);
  const server = aServer([...gaps, '2025-08'].filter((month) => month < '2025-09'));
  const lake = { months: ['2013-01', '2019-12', '2025-04'], ownMonths: ['2013-01', '2019-12'] };
  t.deepEqual((await search(lake, server)).out, [
    '2025-08',
    '2019-11',
    '2019-10',
    '2019-09',
    '2019-08',
    '2019-07',
  ]);
});

test('months with parts and samples are searched for like missing months', async (t) => {
  const server = aServer(['2026-02', '2026-03', '2026-04', '2026-06']);
  const lake = {
    months: ['2026-02', '2026-04', '2026-05', '2026-06'],
    ownMonths: ['2026-02', '2026-04', '2026-05', '2026-06'],
    incompleteMonths: ['2026-02', '2026-06'],
  };
  t.deepEqual((await search(lake, server)).out, ['2026-06', '2026-03', '2026-02']);
});

test('gaps between own months are searched for; gaps in the shipped history and dropped months are not', async (t) => {
  const server = aServer(['2026-03', '2026-04', '2026-05']);
  const lake = {
    months: ['2018-01', '2020-01', '2026-02', '2026-06'],
    ownMonths: ['2026-02', '2026-06'],
    droppedMonths: ['2026-04'],
  };
  t.deepEqual((await search(lake, server)).out, ['2026-05', '2026-03']);
  t.deepEqual(
    server.requests,
    ['2026-10', '2026-09', '2026-08', '2026-07', '2026-05', '2026-03'].map(
      (month) => `HEAD ${month}`,
    ),
  );
});

test('an empty lake starts with the newest months of the last year, six a day', async (t) => {
  t.is(findWantedMonths(EMPTY_LAKE, NOVEMBER).at(0), '2026-10');
  t.is(findWantedMonths(EMPTY_LAKE, NOVEMBER).at(-1), '2025-11');
  const all = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
  const server = aServer([...all, '2025-11', '2025-12']);
  t.deepEqual((await search({}, server)).out, [
    '2026-10',
    '2026-09',
    '2026-08',
    '2026-07',
    '2026-06',
    '2026-05',
  ]);
});

test('a month that has not ended is not searched for', async (t) => {
  const server = aServer([]);
  t.deepEqual((await search({ months: ['2026-10'] }, server)).searched, []);
});

test('an unavailable server is an outage, not an unpublished month', async (t) => {
  const result = search({ months: ['2026-06'] }, aServer([], 503));
  await t.throwsAsync(result, { instanceOf: SourceOutageError, message: /the server answers 503/ });
});

test('past weather continues after its last month, over months with flights', async (t) => {
  const server = aServer(['2026-07']);
  const lake = { months: ['2026-05', '2026-06'], weatherMonths: ['2026-05'] };
  t.deepEqual((await search(lake, server)).weather, ['2026-06', '2026-07']);
  t.deepEqual((await search({ months: ['2026-06'] }, server)).weather, []);
});
