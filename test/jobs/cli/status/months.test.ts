import test from 'ava';
import { monthDetail, monthText } from '../../../../jobs/cli/status/month.ts';
import { opsCells } from '../../../../jobs/cli/status/ops-cells.ts';
import { monthStatuses, statusOfMonth } from '../../../../jobs/cli/status/months.ts';
import type { Run } from '../../../../warehouse/lake/ledger.ts';
import type { MonthManifest } from '../../../../warehouse/lake/lake.ts';
import type { LoadedMonth } from '../../../../warehouse/snapshot.ts';
import { aReport } from '../../helpers/fake-steps.ts';

function inLake(month: string, extractedAt = '2026-11-01T10:00:00.000Z'): MonthManifest {
  const file = { name: 'x', rows: 1, bytes: 1, sha256: 'x' };
  return {
    month,
    source: { name: 'a.csv', sha256: 'abc', bytes: 1, form: 'bts_short' },
    rows: { read: 100, loaded: 99, rejected: 1 },
    rejects: { invalid_origin: 1 },
    delayBasis: 'arrival',
    files: { routeHours: file },
    sourceRows: 100,
    codeVersion: 'test',
    extractedAt,
  };
}

const lake = (...manifests: MonthManifest[]) => ({ manifests, damaged: [] });

function loaded(month: string, extractedAt = '2026-11-01T10:00:00Z'): LoadedMonth {
  const loadedAt = '2026-11-01T10:01:00Z';
  return { month, sourceName: 'a.csv', sourceSha256: 'abc', rows: 99, extractedAt, loadedAt };
}

function anExtract(name: string, finishedAt: string, months: string[], refused: string[]): Run {
  return {
    id: 'x',
    step: 'extract',
    outcome: 'done',
    startedAt: finishedAt,
    finishedAt,
    codeVersion: 'test',
    inputs: [],
    detail: aReport(name, months, refused),
  };
}

const A_MONTH = { rows: 99, rejected: 1, source: 'a.csv' };

test('without lake, warehouse and runs there are no months', (t) => {
  t.deepEqual(monthStatuses(lake(), [], []), []);
});

test('a month is loaded if the warehouse has the version of the lake, and pending otherwise', (t) => {
  t.deepEqual(
    monthStatuses(
      lake(inLake('2018-11'), inLake('2018-12'), inLake('2019-01', '2026-11-02T10:00:00.000Z')),
      [{ ...loaded('2018-11'), flights: 9_900 }, loaded('2019-01')],
      [],
    ),
    [
      { month: '2018-11', state: 'loaded', ...A_MONTH, flights: 9_900 },
      { month: '2018-12', state: 'pending', ...A_MONTH },
      { month: '2019-01', state: 'pending', ...A_MONTH },
    ],
  );
});

test('months between the first and the last without any file are missing', (t) => {
  t.deepEqual(
    monthStatuses(lake(inLake('2018-12'), inLake('2019-02')), [], []).map(({ month, state }) => [
      month,
      state,
    ]),
    [
      ['2018-12', 'pending'],
      ['2019-01', 'missing'],
      ['2019-02', 'pending'],
    ],
  );
});

test('a month that was only refused names the refused file', (t) => {
  const runs = [anExtract('bad.csv', '2026-11-01T09:00:00.000Z', ['2018-12'], ['2018-12'])];
  t.deepEqual(monthStatuses(lake(), [], runs), [
    { month: '2018-12', state: 'refused', refusedFile: 'bad.csv' },
  ]);
});

test('a refusal is shown if it is newer than the loaded month, and not if it is older', (t) => {
  const refusedAt = (time: string) => [anExtract('bad.csv', time, ['2018-12'], ['2018-12'])];
  t.deepEqual(
    monthStatuses(
      lake(inLake('2018-12')),
      [loaded('2018-12')],
      refusedAt('2026-11-01T11:00:00.000Z'),
    ),
    [{ month: '2018-12', state: 'loaded', ...A_MONTH, refusedFile: 'bad.csv' }],
  );
  t.deepEqual(
    monthStatuses(
      lake(inLake('2018-12')),
      [loaded('2018-12')],
      refusedAt('2026-11-01T09:00:00.000Z'),
    ),
    [{ month: '2018-12', state: 'loaded', ...A_MONTH }],
  );
});

test('a month that is loaded but no longer in the lake is unbacked', (t) => {
  t.deepEqual(monthStatuses(lake(), [loaded('2018-12')], []), [
    { month: '2018-12', state: 'unbacked' },
  ]);
});

test('a month with a damaged manifest is damaged, whether it is loaded or not', (t) => {
  const survey = { manifests: [inLake('2018-11')], damaged: ['2018-12', '2019-01'] };
  const statuses = monthStatuses(survey, [loaded('2018-11'), loaded('2018-12')], []);
  t.deepEqual(
    statuses.map(({ month, state }) => `${month} ${state}`),
    ['2018-11 loaded', '2018-12 damaged', '2019-01 damaged'],
  );
});

test("the operators' grid has each month of each source, from its first to its last", (t) => {
  const emptyLevels = { missing: [], pending: [], damaged: [], refused: [], conflicts: [] };
  const levels = {
    ...{ ...emptyLevels, months: 2, rows: 20, first: '2025-01', last: '2025-03' },
    missing: ['2025-02'],
    refused: [
      { month: '2025-03', file: 'new.csv' },
      { month: '2025-04', file: 'new.csv', why: 'too few' },
    ],
  };
  const weather = ['2025-01', '2025-03'].map((month) => ({ source: 'archive', month }));
  const cells = opsCells([{ month: '2025-01', state: 'loaded', source: 'a.zip' }], levels, weather);
  t.deepEqual(cells.at(0), { source: 'flights', month: '2025-01', state: 'loaded', file: 'a.zip' });
  t.deepEqual(
    cells
      .slice(1)
      .map(({ source, month, state, refusedFile }) => [
        `${source} ${month} ${state}`,
        ...(refusedFile === undefined ? [] : [refusedFile]),
      ]),
    [
      ['delay causes 2025-01 loaded'],
      ['delay causes 2025-02 missing'],
      ['delay causes 2025-03 loaded', 'new.csv'],
      ['delay causes 2025-04 refused', 'new.csv'],
      ['weather: archive 2025-01 loaded'],
      ['weather: archive 2025-02 missing'],
      ['weather: archive 2025-03 loaded'],
    ],
  );
  const noLevels = { ...emptyLevels, months: 0, rows: 0 };
  t.deepEqual(opsCells([], noLevels, []), []);
  const year = { month: '2019-12', periodMonths: 12, state: 'loaded' } as const;
  const caa = { name: 'caa', months: [{ ...year, provider: 'caa', source: 'caa-2019.csv' }] };
  t.deepEqual(opsCells([], noLevels, [], [caa]), [
    { source: 'caa', ...year, file: 'caa-2019.csv' },
  ]);
});

test('a month that the counts of its year replace has the state of the year', (t) => {
  const year: MonthManifest = { ...inLake('2019-12'), periodMonths: 12 };
  const own = { ...inLake('2019-06'), source: { ...year.source, name: 'june.csv' } };
  const find = (month: string) =>
    statusOfMonth(lake(own, year), [loaded('2019-12')], [], { month, provider: 'caa' });
  const may = { month: '2019-05', provider: 'caa', state: 'loaded', inYear: '2019' } as const;
  t.deepEqual(find('2019-05'), may);
  t.deepEqual(find('2019-06'), { ...may, month: '2019-06', ...A_MONTH, source: 'june.csv' });
  t.is(find('2018-05').state, 'missing');
  t.like(find('2019-12'), { state: 'loaded', periodMonths: 12, inYear: undefined });
  const text = (month: string) =>
    monthText({ ...monthDetail(find(month), undefined, []), samples: [], versions: [] });
  t.is(
    text('2019-05'),
    'caa 2019-05: loaded\nThe counts of the whole year include this month. To see them: make status PROVIDER=caa MONTH=2019\n',
  );
  t.regex(text('2019-06'), /is used again after make drop PROVIDER=caa MONTH=2019\nSource {3}june/);
});
