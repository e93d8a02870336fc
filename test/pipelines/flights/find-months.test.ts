import test from 'ava';
import { SourceOutageError } from '../../../pipelines/errors.ts';
import {
  findMonths,
  wantedMonths,
  type LakeMonths,
} from '../../../pipelines/flights/find-months.ts';
import type { HttpGet } from '../../../pipelines/http-get.ts';

const NONE: LakeMonths = { held: [], own: [], dropped: [], weather: [] };
const NOVEMBER = new Date('2026-11-22T01:10:00Z');

/** A server that has these months, and what it was asked for. */
function aServer(out: string[], status = 404) {
  const asked: string[] = [];
  const get: HttpGet = async ({ url, method }) => {
    const [, year, month] = /_(\d{4})_(\d+)\.zip$/.exec(url) ?? [];
    const name = `${year}-${String(month).padStart(2, '0')}`;
    asked.push(`${method} ${name}`);
    return {
      status: out.includes(name) ? 200 : status,
      headers: new Headers(),
      cancel: async () => undefined,
    } as Awaited<ReturnType<HttpGet>>;
  };
  return { asked, get };
}

function look(lake: Partial<LakeMonths>, { get }: { get: HttpGet }) {
  const deps = { base: 'https://bts.example', get, lake: async () => ({ ...NONE, ...lake }) };
  return findMonths({ ...deps, now: () => NOVEMBER }, () => undefined);
}

test('months after the last are asked for until one is not out, by headers alone', async (t) => {
  const server = aServer(['2026-07', '2026-08']);
  const found = await look({ held: ['2026-06'] }, server);
  t.deepEqual(server.asked, ['HEAD 2026-07', 'HEAD 2026-08', 'HEAD 2026-09']);
  t.deepEqual(found.out, ['2026-07', '2026-08']);
});

test('gaps between own months are asked for; those of the shipped history, and what was dropped, are not', async (t) => {
  const server = aServer(['2026-03', '2026-04', '2026-05']);
  const lake = {
    held: ['2018-01', '2020-01', '2026-02', '2026-06'],
    own: ['2026-02', '2026-06'],
    dropped: ['2026-04'],
  };
  t.deepEqual((await look(lake, server)).out, ['2026-03', '2026-05']);
  t.deepEqual(server.asked, ['HEAD 2026-03', 'HEAD 2026-05', 'HEAD 2026-07']);
});

test('an empty lake begins with the last year, six months a day', async (t) => {
  t.deepEqual(wantedMonths(NONE, NOVEMBER).later.at(0), '2025-11');
  t.deepEqual(wantedMonths(NONE, NOVEMBER).later.at(-1), '2026-10');
  const all = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
  const server = aServer([...all, '2025-11', '2025-12']);
  t.deepEqual((await look({}, server)).out, ['2025-11', '2025-12', ...all.slice(0, 4)]);
});

test('a month that is not over cannot be out', async (t) => {
  const server = aServer([]);
  t.deepEqual((await look({ held: ['2026-10'] }, server)).asked, []);
});

test('a server that is away is an outage, not a month that is not out', async (t) => {
  const away = look({ held: ['2026-06'] }, aServer([], 503));
  await t.throwsAsync(away, { instanceOf: SourceOutageError, message: /the server answers 503/ });
});

test('weather of the past goes on where it was begun, over months with flights', async (t) => {
  const server = aServer(['2026-07']);
  const begun = { held: ['2026-05', '2026-06'], weather: ['2026-05'] };
  t.deepEqual((await look(begun, server)).weather, ['2026-06', '2026-07']);
  t.deepEqual((await look({ held: ['2026-06'] }, server)).weather, []);
});
