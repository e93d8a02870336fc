import test from 'ava';
import type { Refusal } from '../../../../jobs/cli/status/refusals.ts';
import { levelLines, levelStatus } from '../../../../jobs/cli/status/levels.ts';
import type { LevelManifest } from '../../../../warehouse/lake/level-lake.ts';

const AT = '2026-11-01T00:00:00.000Z';

function aManifest(month: string, extractedAt = AT): LevelManifest {
  return {
    month,
    source: { name: 'table.csv', sha256: 'aa', bytes: 1, form: 'delay_causes' },
    rows: { read: 3, loaded: 2, empty: 1, rejected: 0 },
    rejects: {},
    files: { delayCauses: { name: 'a.parquet', rows: 2, bytes: 1, sha256: 'bb' } },
    sourceRows: 3,
    codeVersion: 'test',
    extractedAt,
  };
}

function loaded(month: string) {
  return {
    month,
    sourceName: 'table.csv',
    sourceSha256: 'aa',
    rows: 2,
    extractedAt: AT,
    loadedAt: AT,
  };
}

const CONFLICT = {
  form: 'bts_short',
  firstMonth: '2025-01',
  lastMonth: '2025-03',
  compared: 900,
  conflicts: 12,
  flightShare: 0.0314,
  month: '2025-02',
  carrier: 'DL',
  airport: 'ATL',
  source: '2025-02.csv',
  flights: 1_900,
  flightsTold: 2_100,
  late: 300,
  lateTold: 350,
};

test('the delay-cause table has one line, for any number of months', (t) => {
  const lake = { manifests: ['2025-01', '2025-02'].map((month) => aManifest(month)), damaged: [] };
  const status = levelStatus(lake, [loaded('2025-01'), loaded('2025-02')], [], new Map());
  t.deepEqual(levelLines(status), [
    'Levels   2 months of the delay-cause table, 2025-01 to 2025-02, 4 rows',
  ]);
});

test('missing, pending and damaged months are listed; a long list shows only the first and last', (t) => {
  const lake = {
    manifests: [
      aManifest('2025-01', '2026-11-02T00:00:00.000Z'),
      ...['2025-07', '2025-08', '2025-09', '2025-10'].map((month) => aManifest(month)),
    ],
    damaged: ['2025-11'],
  };
  const months = ['2025-01', '2025-03', '2025-07'].map(loaded);
  t.deepEqual(levelLines(levelStatus(lake, months, [], new Map())), [
    'Levels   3 months of the delay-cause table, 2025-01 to 2025-07, 6 rows; missing: 4 from 2025-02 to 2025-06; ' +
      'in the lake, not loaded: 4 from 2025-01 to 2025-10; damaged in the lake, load the file again: 2025-11',
  ]);
});

test('a form of flights that conflicts with the table has one line, with the largest difference', (t) => {
  const lines = levelLines(levelStatus({ manifests: [], damaged: [] }, [], [CONFLICT], new Map()));
  t.deepEqual(lines, [
    'Levels   no months of the delay-cause table yet: make ingest FILE=path',
    '         bts_short and the table differ by more than 2 % in 2025-01 to 2025-03: 12 of 900 months of an airline at an airport, with ' +
      '3.1 % of the flights. Largest difference: DL at ATL in 2025-02 has 1,900 flights in 2025-02.csv and 2,100 in the table; 300 and 350 of them are late',
  ]);
});

test('months of the table whose last file was refused have one line, until another file is accepted', (t) => {
  const lake = { manifests: [aManifest('2025-10'), aManifest('2025-11')], damaged: [] };
  const refusal = (file: string, at: string, why?: string): Refusal => ({
    ...{ file, at, why },
    rejects: {},
  });
  const refusals = new Map([
    ['2025-10', refusal('old.csv', '2026-10-01T00:00:00.000Z', 'older than the loaded file')],
    ['2025-11', refusal('half.csv', '2026-11-02T00:00:00.000Z', 'half the flights')],
    ['2025-12', refusal('bad.csv', '2026-11-02T00:00:00.000Z')],
  ]);
  const status = levelStatus(lake, ['2025-10', '2025-11'].map(loaded), [], refusals);
  t.deepEqual(levelLines(status), [
    'Levels   2 months of the delay-cause table, 2025-10 to 2025-11, 4 rows',
    '         refused, so unchanged: 2025-11, 2025-12; last file bad.csv: more than 1 % of its rows are rejected',
  ]);
});
