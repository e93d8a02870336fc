import test from 'ava';
import type { SavedFile } from '../../../pipelines/flights/download.ts';
import { planMonth, type PlanDeps } from '../../../pipelines/flights/plan-month.ts';
import type { ExtractReport, MonthExtent } from '../../../pipelines/flights/types.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';

const MONTH = '2025-03';
const BASE = 'http://bts.example/';
const URL =
  'http://bts.example/On_Time_Reporting_Carrier_On_Time_Performance_1987_present_2025_3.zip';
const HELD = { month: MONTH } as MonthManifest;
const EXTENT: MonthExtent = {
  ...{ source: 'old.csv', form: 'bts_short', rows: 90, flights: 90 },
  ...{ days: 31, airports: 2, airlines: 1 },
};
const AFTER = { ...EXTENT, source: 'new.csv', rows: 100, flights: 100 };
const SAVED: SavedFile = { url: URL, path: '/d/a.zip', bytes: 7, sha256: 'abc', etag: '"1"' };

type World = {
  status?: number;
  headers?: Record<string, string>;
  names?: string[];
  saved?: SavedFile;
  held?: MonthManifest;
  /** Months the lake holds of the source at hand. */
  extracted?: string[];
  report?: Partial<ExtractReport>;
};

/** What a server, a folder and the lake say; the plan of March 2025 from the one or the other. */
function aWorld({ status = 200, headers = {}, names = [], extracted = [], ...world }: World) {
  const asked: string[] = [];
  const deps: PlanDeps = {
    get: async ({ method, url }) => {
      asked.push(`${method} ${url}`);
      async function* body() {}
      return { status, headers: new Headers(headers), body: body(), cancel: async () => undefined };
    },
    saved: async () => world.saved,
    listFolder: async () => names,
    sha256: async () => 'abc',
    sizeOf: async () => 7,
    manifest: async () => world.held,
    extracted: async () => extracted.map((month) => ({ ...HELD, month })),
    extent: async () => EXTENT,
    tryFile: async (request) => {
      asked.push(`try ${request.path}${request.dryRun ? '' : ' in earnest'}`);
      const months = [{ outcome: 'written' as const, replaced: { before: EXTENT, after: AFTER } }];
      return { months, notes: [], ...world.report } as unknown as ExtractReport;
    },
  };
  const of = (source: Parameters<typeof planMonth>[0]['source'], force: boolean) =>
    planMonth({ month: MONTH, source, force }, deps);
  return {
    asked,
    fromServer: (force = false) => of({ kind: 'url', base: BASE }, force),
    fromFolder: (force = false) => of({ kind: 'folder', path: '/f' }, force),
  };
}

test('a server is asked for the headers alone, and says how big a month is that would come', async (t) => {
  const { fromServer, asked } = aWorld({ headers: { 'content-length': '30000000' } });
  t.deepEqual(await fromServer(), {
    month: MONTH,
    action: 'extract',
    from: URL,
    bytes: 30_000_000,
  });
  t.deepEqual(asked, [`HEAD ${URL}`]);
  const unknown = await aWorld({ status: 405, held: HELD }).fromServer();
  t.deepEqual(unknown, { month: MONTH, action: 'replace', from: URL, held: EXTENT });
});

test('a month that is not out is skipped; a server that is away fails it, with what it said', async (t) => {
  const absent = await aWorld({ status: 404 }).fromServer();
  t.like(absent, { action: 'skip', from: URL });
  t.regex(absent.why ?? '', /^not out yet \(/);
  const away = await aWorld({ status: 503 }).fromServer();
  t.deepEqual(away, {
    ...{ month: MONTH, action: 'fail', from: URL },
    why: `${URL}: the server answers 503`,
  });
});

test('a download of the version the server has is held against the lake, another is not', async (t) => {
  const same = { saved: SAVED, headers: { etag: '"1"' }, held: HELD, extracted: [MONTH] };
  t.like(await aWorld(same).fromServer(), { action: 'skip', why: 'unchanged' });
  const forced = aWorld(same);
  t.like(await forced.fromServer(true), { action: 'again', replaced: { before: EXTENT } });
  t.is(forced.asked.at(-1), 'try /d/a.zip');
  const other = { ...same, headers: { etag: '"2"' } };
  t.like(await aWorld(other).fromServer(), { action: 'replace', held: EXTENT });
  const { etag: _, ...rest } = SAVED;
  const dated = { ...rest, lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' };
  const since = { ...same, saved: dated, headers: { 'last-modified': dated.lastModified } };
  t.like(await aWorld(since).fromServer(), { action: 'skip', why: 'unchanged' });
  t.like(await aWorld({ ...since, headers: {} }).fromServer(), { action: 'replace' });
});

test('a file of a folder is read to say what it would replace, or why it would be refused', async (t) => {
  const names = ['flights-2025-03.csv'];
  const read = aWorld({ names });
  t.deepEqual(await read.fromFolder(), {
    ...{ month: MONTH, action: 'extract', from: '/f/flights-2025-03.csv', bytes: 7 },
    replaced: { before: EXTENT, after: AFTER },
  });
  t.deepEqual(read.asked, ['try /f/flights-2025-03.csv']);
  const months = [{ outcome: 'refused' }] as ExtractReport['months'];
  const report = { months, notes: ['too many bad rows', 'see the quarantine'] };
  t.like(await aWorld({ names, held: HELD, report }).fromFolder(), {
    action: 'fail',
    why: 'too many bad rows; see the quarantine',
  });
  // Held with another month: it is not this month's file alone.
  const both = aWorld({ names, held: HELD, extracted: [MONTH, '2025-04'] });
  t.like(await both.fromFolder(), { action: 'replace' });
});

test('a folder without the month skips it, one with two files of it fails it', async (t) => {
  t.deepEqual(await aWorld({}).fromFolder(), {
    ...{ month: MONTH, action: 'skip', from: '/f' },
    why: 'no file of it in the folder',
  });
  const names = ['a-2025-03.csv', 'b-2025-03.csv'];
  const two = await aWorld({ names }).fromFolder();
  t.like(two, { action: 'fail', from: '/f' });
  t.regex(two.why ?? '', /a-2025-03\.csv, b-2025-03\.csv/);
});
