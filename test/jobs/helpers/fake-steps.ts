import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import type { ExtractReport, MonthReport } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';

/** What a flight file of these tests holds, as JSON: how its extraction goes. */
export type Script = {
  months: string[];
  refused?: string[];
  takesMs?: number;
  fails?: 'format' | 'outage';
};

/** A report of months of 100 rows each; `refused` ones were not loaded. */
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

/** Steps that do what the file says and write each call, when it begins and when it ends, to `DATA_DIR/calls`. */
export function fakeSteps(dataDir: string): PipelineSteps {
  const note = (call: string) => appendFile(join(dataDir, 'calls'), `${call}\n`);
  return {
    extractFile: async ({ path }, progress) => {
      const name = basename(path);
      const script = JSON.parse(await readFile(path, 'utf8')) as Script;
      await note(`extract ${name}`);
      progress(1, 2, name);
      await sleep(script.takesMs ?? 0);
      if (script.fails === 'format') throw new SourceFormatError(name, 'no header we know');
      if (script.fails === 'outage') throw new Error('disk away');
      await mkdir(join(dataDir, 'lake', 'flights', 'year=2018'), { recursive: true });
      await note(`extracted ${name}`);
      return aReport(name, script.months, script.refused);
    },
    extractMonth: async ({ month, source }, progress) => {
      const folder = source.kind === 'folder' ? source.path : '';
      const text = await readFile(join(folder, month), 'utf8').catch(() => undefined);
      if (text === undefined) {
        return { month, outcome: 'absent', why: 'no file', rowsLoaded: 0, rowsRejected: 0 };
      }
      const script = JSON.parse(text) as Omit<Script, 'months'>;
      await note(`extract ${month}`);
      progress(1, 2, 'reading');
      await sleep(script.takesMs ?? 0);
      if (script.fails === 'format') throw new SourceFormatError(month, 'no header we know');
      if (script.fails === 'outage') throw new Error('disk away');
      await note(`extracted ${month}`);
      return { month, outcome: 'done', rowsLoaded: 1_000, rowsRejected: 2 };
    },
    loadMonths: async (months, progress) => {
      await note(`load ${months.join(' ')}`);
      progress(1, 1, 'loaded');
      return { months, flights: 100 * months.length };
    },
    loadDelayCauses: async (months) => {
      await note(`load levels ${months.join(' ')}`);
      return { months, flights: 100 * months.length };
    },
    buildFeatures: async () => {
      await note('features');
      const checks = [{ check: 'rates', severity: 'error' as const, failures: 0 }];
      return { rows: { route_stats: 12 }, checks };
    },
    isTrainingDue: async () => false,
    train: async (_, progress) => {
      await note('train');
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
    publishStore: async () => {
      await note('publish');
      await writeFile(join(dataDir, 'published'), '');
      return { version: 'v1', months: ['2018-01', '2018-02'], bytes: 1_500 };
    },
    rebuildWarehouse: async () => {
      await note('rebuild');
      return { months: ['2018-01'], flights: 100, rows: {}, checks: [] };
    },
    extractWeatherMonth: async ({ month }) => ({
      month,
      outcome: 'done',
      rowsLoaded: 31,
      rowsRejected: 0,
    }),
    loadWeatherMonth: async () => 31,
    ...fakeUndo(note),
    ...FAKE_LIVE,
  };
}

/** Asked for whenever `run` starts; no test of the others waits for it. */
const FAKE_LIVE = {
  findMonths: async () => ({ asked: [], out: [], weather: [] }),
  refreshNas: async () => ({ programs: 0 }),
  refreshNews: async () => noNews,
  refreshRouteNews: async () => noNews,
  refreshWeather: async () => ({ airports: 2, refreshed: 2, calls: 2, problems: [] }),
} satisfies Partial<PipelineSteps>;

function fakeUndo(
  note: (call: string) => Promise<void>,
): Pick<PipelineSteps, 'restoreMonth' | 'dropMonth'> {
  return {
    restoreMonth: async ({ month, tree, version }) => {
      await note(`restore ${tree} ${month} ${version}`);
      return { month, tree };
    },
    dropMonth: async ({ month, tree }) => {
      await note(`drop ${tree} ${month}`);
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
