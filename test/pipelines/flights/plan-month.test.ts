import test from 'ava';
import type { SavedFile } from '../../../pipelines/flights/download.ts';
import { planMonth, type PlanDeps } from '../../../pipelines/flights/plan-month.ts';
import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import type { MonthExtent } from '../../../warehouse/extract/staged-month.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';

const MONTH = '2025-03';
const BASE = 'http://bts.example/';
const URL =
  'http://bts.example/On_Time_Marketing_Carrier_On_Time_Performance_Beginning_January_2018_2025_3.zip';
const MANIFEST = { month: MONTH } as MonthManifest;
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
  manifest?: MonthManifest;
  /** Months of the lake from this source. */
  extracted?: string[];
  report?: Partial<ExtractReport>;
};

/** Fakes a server, a folder and the lake, and returns functions that plan March 2025 from the server or the folder. */
function aWorld({ status = 200, headers = {}, names = [], extracted = [], ...world }: World) {
  const calls: string[] = [];
  const deps: PlanDeps = {
    get: async ({ method, url }) => {
      calls.push(`${method} ${url}`);
      async function* body() {}
      return { status, headers: new Headers(headers), body: body(), cancel: async () => undefined };
    },
    findDownload: async () => world.saved,
    listFolder: async () => names,
    sha256: async () => 'abc',
    sizeOf: async () => 7,
    readManifest: async () => world.manifest,
    findExtracted: async () => extracted.map((month) => ({ ...MANIFEST, month })),
    readExtent: async () => EXTENT,
    dryRunFile: async (request) => {
      calls.push(`try ${request.path}${request.dryRun ? '' : ' without dryRun'}`);
      const months = [{ outcome: 'written' as const, replaced: { before: EXTENT, after: AFTER } }];
      return { months, notes: [], ...world.report } as unknown as ExtractReport;
    },
  };
  const plan = (source: Parameters<typeof planMonth>[0]['source'], force: boolean) =>
    planMonth({ month: MONTH, source, force }, deps);
  return {
    calls,
    fromServer: (force = false) => plan({ kind: 'url', base: BASE }, force),
    fromFolder: (force = false) => plan({ kind: 'folder', path: '/f' }, force),
  };
}

test('a server gets only a HEAD request, and its headers give the size of the month', async (t) => {
  const { fromServer, calls } = aWorld({ headers: { 'content-length': '30000000' } });
  t.deepEqual(await fromServer(), {
    month: MONTH,
    action: 'extract',
    from: URL,
    bytes: 30_000_000,
  });
  t.deepEqual(calls, [`HEAD ${URL}`]);
  const unknown = await aWorld({ status: 405, manifest: MANIFEST }).fromServer();
  t.deepEqual(unknown, { month: MONTH, action: 'replace', from: URL, current: EXTENT });
});

test('an unpublished month is skipped; an unavailable server fails the month with its status', async (t) => {
  const absent = await aWorld({ status: 404 }).fromServer();
  t.like(absent, { action: 'skip', from: URL });
  t.regex(absent.why ?? '', /^not published yet \(/);
  const outage = await aWorld({ status: 503 }).fromServer();
  t.deepEqual(outage, {
    ...{ month: MONTH, action: 'fail', from: URL },
    why: `${URL}: the server answers 503`,
  });
});

test('a download is compared with the lake only if it is the current version on the server', async (t) => {
  const unchanged = {
    saved: SAVED,
    headers: { etag: '"1"' },
    manifest: MANIFEST,
    extracted: [MONTH],
  };
  t.like(await aWorld(unchanged).fromServer(), { action: 'skip', why: 'unchanged' });
  const forced = aWorld(unchanged);
  t.like(await forced.fromServer(true), { action: 'again', replaced: { before: EXTENT } });
  t.is(forced.calls.at(-1), 'try /d/a.zip');
  const other = { ...unchanged, headers: { etag: '"2"' } };
  t.like(await aWorld(other).fromServer(), { action: 'replace', current: EXTENT });
  const { etag: _, ...rest } = SAVED;
  const dated = { ...rest, lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' };
  const byDate = { ...unchanged, saved: dated, headers: { 'last-modified': dated.lastModified } };
  t.like(await aWorld(byDate).fromServer(), { action: 'skip', why: 'unchanged' });
  t.like(await aWorld({ ...byDate, headers: {} }).fromServer(), { action: 'replace' });
});

test('a file in a folder is read, and the plan has the replaced month or the reason of a refusal', async (t) => {
  const names = ['flights-2025-03.csv'];
  const plan = aWorld({ names });
  t.deepEqual(await plan.fromFolder(), {
    ...{ month: MONTH, action: 'extract', from: '/f/flights-2025-03.csv', bytes: 7 },
    replaced: { before: EXTENT, after: AFTER },
  });
  t.deepEqual(plan.calls, ['try /f/flights-2025-03.csv']);
  const months = [{ outcome: 'refused' }] as ExtractReport['months'];
  const report = { months, notes: ['too many bad rows', 'see the quarantine'] };
  t.like(await aWorld({ names, manifest: MANIFEST, report }).fromFolder(), {
    action: 'fail',
    why: 'too many bad rows; see the quarantine',
  });
  // The file also contains another month, so it is not the file of this month.
  const both = aWorld({ names, manifest: MANIFEST, extracted: [MONTH, '2025-04'] });
  t.like(await both.fromFolder(), { action: 'replace' });
});

test('a folder without a file of the month skips it, a folder with two files fails it', async (t) => {
  t.deepEqual(await aWorld({}).fromFolder(), {
    ...{ month: MONTH, action: 'skip', from: '/f' },
    why: 'the folder has no file of this month',
  });
  const names = ['a-2025-03.csv', 'b-2025-03.csv'];
  const two = await aWorld({ names }).fromFolder();
  t.like(two, { action: 'fail', from: '/f' });
  t.regex(two.why ?? '', /a-2025-03\.csv, b-2025-03\.csv/);
});
