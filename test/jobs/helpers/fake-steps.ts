import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import type { ExtractReport, MonthReport } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';

/** Content of a flight file in these tests, as JSON: the outcome of its extraction. */
export type Script = {
  months: string[];
  refused?: string[];
  takesMs?: number;
  fails?: 'format' | 'outage';
};

/** Returns the report of an extract with 100 rows for each month; `refused` months are not loaded. */
export function aReport(name: string, months: string[], refused: string[] = []): ExtractReport {
  const reports = months.map((month) => aMonth(month, refused.includes(month)));
  const rejected = 100 * refused.length;
  return {
    source: { name, sha256: `sha of ${name}`, bytes: 1, form: 'fake' },
    rowsRead: 100 * months.length,
    rowsLoaded: 100 * months.length - rejected,
    rowsRejected: rejected,
    undatedRejects: {},
    months: reports,
    notes: [],
  };
}

const noNews = { feeds: 0, failed: [], read: 0, relevant: 0, kept: 0 };

/**
 * Returns steps that act as the file specifies and append each call to `DATA_DIR/calls`. Extracts append a second line when they end.
 */
export function fakeSteps(dataDir: string): PipelineSteps {
  const recordCall = (call: string) => appendFile(join(dataDir, 'calls'), `${call}\n`);
  return {
    extractFile: async ({ path }, progress) => {
      const name = basename(path);
      const script = JSON.parse(await readFile(path, 'utf8')) as Script;
      await recordCall(`extract ${name}`);
      progress(1, 2, name);
      await sleep(script.takesMs ?? 0);
      if (script.fails === 'format') throw new SourceFormatError(name, 'unknown header');
      if (script.fails === 'outage') throw new Error('disk unavailable');
      await mkdir(join(dataDir, 'lake', 'flights', 'year=2018'), { recursive: true });
      await recordCall(`extracted ${name}`);
      return aReport(name, script.months, script.refused);
    },
    extractMonth: async ({ month, source }, progress) => {
      const folder = source.kind === 'folder' ? source.path : '';
      const text = await readFile(join(folder, month), 'utf8').catch(() => undefined);
      if (text === undefined) {
        return { month, outcome: 'absent', why: 'no file', rowsLoaded: 0, rowsRejected: 0 };
      }
      const script = JSON.parse(text) as Omit<Script, 'months'>;
      await recordCall(`extract ${month}`);
      progress(1, 2, 'reading');
      await sleep(script.takesMs ?? 0);
      if (script.fails === 'format') throw new SourceFormatError(month, 'unknown header');
      if (script.fails === 'outage') throw new Error('disk unavailable');
      await recordCall(`extracted ${month}`);
      return { month, outcome: 'done', rowsLoaded: 1_000, rowsRejected: 2 };
    },
    loadMonths: async (months, progress) => {
      await recordCall(`load ${months.join(' ')}`);
      progress(1, 1, 'loaded');
      return { months, flights: 100 * months.length };
    },
    loadDelayCauses: async (months) => {
      await recordCall(`load levels ${months.join(' ')}`);
      return { months, flights: 100 * months.length };
    },
    buildFeatures: async () => {
      await recordCall('features');
      const checks = [{ check: 'rates', severity: 'error' as const, failures: 0 }];
      return { rows: { route_stats: 12 }, checks };
    },
    isTrainingDue: async () => false,
    train: async (_, progress) => {
      await recordCall('train');
      progress(1, 5, 'rehearsal');
      return {
        isReleased: false,
        why: 'not released: no skill',
        months: ['2018-01'],
        dataSha256: 'sha',
        rows: 400,
        contract: 'contract',
      };
    },
    measureRecords: async () => ({}),
    publishStore: async () => {
      await recordCall('publish');
      await writeFile(join(dataDir, 'published'), '');
      return { version: 'v1', months: ['2018-01', '2018-02'], bytes: 1_500 };
    },
    rebuildWarehouse: async () => {
      await recordCall('rebuild');
      return { months: ['2018-01'], flights: 100, rows: {}, checks: [] };
    },
    extractWeatherMonth: async ({ month }) => ({
      month,
      outcome: 'done',
      rowsLoaded: 31,
      rowsRejected: 0,
    }),
    loadWeatherMonth: async () => 31,
    ...fakeUndo(recordCall),
    ...FAKE_LIVE,
  };
}

/** Steps that `run` requests when it starts. Tests of other steps do not wait for their results. */
const FAKE_LIVE = {
  searchProvider: async () => ({ summary: '', files: [] }),
  findMonths: async () => ({ searched: [], out: [], weather: [] }),
  refreshNas: async () => ({ programs: 0 }),
  refreshNews: async () => noNews,
  refreshRouteNews: async () => noNews,
  refreshWeather: async () => ({ airports: 2, refreshed: 2, calls: 2, problems: [] }),
} satisfies Partial<PipelineSteps>;

function fakeUndo(
  recordCall: (call: string) => Promise<void>,
): Pick<PipelineSteps, 'restoreMonth' | 'dropMonth'> {
  return {
    restoreMonth: async ({ month, tree, version }) => {
      await recordCall(`restore ${tree} ${month} ${version}`);
      return { month, tree };
    },
    dropMonth: async ({ month, tree }) => {
      await recordCall(`drop ${tree} ${month}`);
      return { month, tree };
    },
  };
}

function aMonth(month: string, isRefused: boolean): MonthReport {
  return {
    month,
    rowsRead: 100,
    rowsLoaded: isRefused ? 0 : 100,
    rowsRejected: isRefused ? 100 : 0,
    rejects: isRefused ? { 'bad date': 100 } : {},
    outcome: isRefused ? 'refused' : 'written',
  };
}
