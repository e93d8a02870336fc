import test from 'ava';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import { extractMonth, type ExtractMonthDeps } from '../../../pipelines/flights/extract-month.ts';
import type { ExtractRequest, MonthReport } from '../../../pipelines/flights/types.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';

const MONTH: MonthReport = {
  month: '2025-03',
  rowsRead: 100,
  rowsLoaded: 99,
  rowsRejected: 1,
  rejects: { invalid_dest: 1 },
  outcome: 'written',
};

type World = { names?: string[]; held?: { month: string }[]; found?: Partial<MonthReport> };

/** A folder of flight files, what the lake holds of the one of March 2025, and how reading it ends. */
function aWorld({ names = ['flights-2025-03.csv'], held = [], found = {} }: World = {}) {
  const read: ExtractRequest[] = [];
  const deps: ExtractMonthDeps = {
    fetchFile: async () => {
      throw new Error('nothing is to be fetched');
    },
    listFolder: async () => names,
    sha256: async () => 'abc',
    extracted: async () =>
      held.map(({ month }) => ({ month, rows: { loaded: 99, rejected: 1 } }) as MonthManifest),
    extractFile: async (request) => {
      read.push(request);
      const month = { ...MONTH, ...found };
      return {
        source: { name: 'flights-2025-03.csv', sha256: 'abc', bytes: 1, form: 'bts_short' },
        rowsRead: 100,
        rowsLoaded: 99,
        rowsRejected: 1,
        undatedRejects: {},
        months: [month],
        notes: month.why === undefined ? [] : [`2025-03 refused: ${month.why}`],
      };
    },
  };
  const extract = (force = false) => {
    const request = { month: '2025-03', source: { kind: 'folder', path: '/f' }, force } as const;
    return extractMonth(request, deps, () => undefined);
  };
  return { read, extract };
}

test('the file of the month is read, and may hold that month only', async (t) => {
  const { read, extract } = aWorld();

  t.deepEqual(await extract(), {
    month: '2025-03',
    outcome: 'done',
    rowsLoaded: 99,
    rowsRejected: 1,
  });
  t.deepEqual(read, [{ path: '/f/flights-2025-03.csv', month: '2025-03', force: false }]);
});

test('a month refused is an error no second try helps against, which says why', async (t) => {
  const { extract } = aWorld({ found: { outcome: 'refused', why: 'it holds 1 flight' } });

  await t.throwsAsync(extract(), {
    instanceOf: SourceFormatError,
    message: 'flights-2025-03.csv: 2025-03 refused: it holds 1 flight',
  });
});

test('a file the lake holds is read again by force only', async (t) => {
  const { read, extract } = aWorld({ held: [{ month: '2025-03' }] });

  t.like(await extract(), { outcome: 'unchanged', rowsLoaded: 99, rowsRejected: 1 });
  t.deepEqual(read, []);
  t.like(await extract(true), { outcome: 'done' });
  t.like(read, [{ force: true }]);
});

test('a month without a file is absent', async (t) => {
  const { read, extract } = aWorld({ names: ['flights-2025-04.csv'] });

  t.like(await extract(), { outcome: 'absent', why: 'no file of it in the folder' });
  t.deepEqual(read, []);
});
