import test from 'ava';
import { SourceOutageError } from '../../../pipelines/errors.ts';
import {
  findMonths,
  findMissingMonths,
  type LakeCoverage,
} from '../../../pipelines/flights/find-months.ts';
import type { HttpGet } from '../../../pipelines/http-get.ts';

const EMPTY_LAKE: LakeCoverage = {
  months: [],
  ownMonths: [],
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
    base: 'https://bts.example',
    get,
    readCoverage: async () => ({ ...EMPTY_LAKE, ...lake }),
  };
  return findMonths({ ...deps, now: () => NOVEMBER }, () => undefined);
}

test('months after the last one are requested by HEAD, until one is unpublished', async (t) => {
  const server = aServer(['2026-07', '2026-08']);
  const report = await search({ months: ['2026-06'] }, server);
  t.deepEqual(server.requests, ['HEAD 2026-07', 'HEAD 2026-08', 'HEAD 2026-09']);
  t.deepEqual(report.out, ['2026-07', '2026-08']);
});

test('gaps between own months are searched for; gaps in the shipped history and dropped months are not', async (t) => {
  const server = aServer(['2026-03', '2026-04', '2026-05']);
  const lake = {
    months: ['2018-01', '2020-01', '2026-02', '2026-06'],
    ownMonths: ['2026-02', '2026-06'],
    droppedMonths: ['2026-04'],
  };
  t.deepEqual((await search(lake, server)).out, ['2026-03', '2026-05']);
  t.deepEqual(server.requests, ['HEAD 2026-03', 'HEAD 2026-05', 'HEAD 2026-07']);
});

test('an empty lake starts with the last year, six months a day', async (t) => {
  t.deepEqual(findMissingMonths(EMPTY_LAKE, NOVEMBER).later.at(0), '2025-11');
  t.deepEqual(findMissingMonths(EMPTY_LAKE, NOVEMBER).later.at(-1), '2026-10');
  const all = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
  const server = aServer([...all, '2025-11', '2025-12']);
  t.deepEqual((await search({}, server)).out, ['2025-11', '2025-12', ...all.slice(0, 4)]);
});

test('a month that has not ended is not searched for', async (t) => {
  const server = aServer([]);
  t.deepEqual((await search({ months: ['2026-10'] }, server)).asked, []);
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
