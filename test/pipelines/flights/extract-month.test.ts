import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
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

type World = {
  names?: string[];
  extracted?: { month: string }[];
  report?: Partial<MonthReport>;
};

/**
 * Fakes a folder of flight files. Also fakes the outcome of reading the file of March 2025, and the months that the
 * lake has from this file.
 */
function aWorld({ names = ['flights-2025-03.csv'], extracted = [], report = {} }: World = {}) {
  const requests: ExtractRequest[] = [];
  const deps: ExtractMonthDeps = {
    fetchFile: async () => {
      throw new Error('nothing should be fetched');
    },
    listFolder: async () => names,
    sha256: async () => 'abc',
    findExtracted: async () =>
      extracted.map(({ month }) => ({ month, rows: { loaded: 99, rejected: 1 } }) as MonthManifest),
    extractFile: async (request) => {
      requests.push(request);
      const month = { ...MONTH, ...report };
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
  return { requests, extract };
}

test('the file of the month is read, and may contain only that month', async (t) => {
  const { requests, extract } = aWorld();

  t.deepEqual(await extract(), {
    month: '2025-03',
    outcome: 'done',
    rowsLoaded: 99,
    rowsRejected: 1,
  });
  t.deepEqual(requests, [{ path: '/f/flights-2025-03.csv', month: '2025-03', force: false }]);
});

test('a refused month is a final error with the reason', async (t) => {
  const { extract } = aWorld({ report: { outcome: 'refused', why: 'it has 1 flight' } });

  await t.throwsAsync(extract(), {
    instanceOf: SourceFormatError,
    message: 'flights-2025-03.csv: 2025-03 refused: it has 1 flight',
  });
});

test('a file that the lake has already is read again only by force', async (t) => {
  const { requests, extract } = aWorld({ extracted: [{ month: '2025-03' }] });

  t.like(await extract(), { outcome: 'unchanged', rowsLoaded: 99, rowsRejected: 1 });
  t.deepEqual(requests, []);
  t.like(await extract(true), { outcome: 'done' });
  t.like(requests, [{ force: true }]);
});

test('a month without a file is absent', async (t) => {
  const { requests, extract } = aWorld({ names: ['flights-2025-04.csv'] });

  t.like(await extract(), { outcome: 'absent', why: 'the folder has no file of this month' });
  t.deepEqual(requests, []);
});
