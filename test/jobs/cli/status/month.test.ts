import test from 'ava';
import { monthDetail, monthText, type MonthDetail } from '../../../../jobs/cli/status/month.ts';
import type { MonthStatus } from '../../../../jobs/cli/status/months.ts';
import type { Run } from '../../../../warehouse/lake/ledger.ts';
import type { MonthManifest } from '../../../../warehouse/lake/lake.ts';
import { aReport } from '../../helpers/fake-steps.ts';

const MANIFEST: MonthManifest = {
  month: '2018-01',
  source: { name: 'a.csv', sha256: '0123456789abcdef', bytes: 2_000_000, form: 'bts_short' },
  rows: { read: 1_100, loaded: 1_000, rejected: 100 },
  rejects: { invalid_dest: 30, invalid_origin: 70 },
  delayBasis: 'arrival',
  files: { routeHours: { name: 'x', rows: 1, bytes: 1, sha256: 'x' } },
  sourceRows: 1_100,
  codeVersion: '0.1.0',
  extractedAt: '2026-11-01T10:00:00.000Z',
};
const LOADED: MonthStatus = {
  month: '2018-01',
  state: 'loaded',
  rows: 1_000,
  rejected: 100,
  source: 'a.csv',
};

function anExtract(name: string, rejects: Record<string, number>, form = 'bts_short'): Run {
  const report = aReport(name, ['2018-01'], ['2018-01']);
  const months = report.months.map((month) => ({ ...month, rejects }));
  return {
    id: name,
    step: 'extract',
    outcome: 'done',
    startedAt: '2026-11-02T10:00:00.000Z',
    finishedAt: '2026-11-02T10:00:00.000Z',
    codeVersion: '0.1.0',
    inputs: [],
    detail: { ...report, source: { ...report.source, form }, months },
  };
}

const NOTHING = { samples: [], versions: [] };

test('a month is shown with its source, its rows and its rejects, most frequent first', (t) => {
  const detail = monthDetail(LOADED, MANIFEST, []);
  t.deepEqual(detail.rejects, [
    ['invalid_origin', 70],
    ['invalid_dest', 30],
  ]);
  const text = monthText({ ...detail, ...NOTHING });
  t.regex(text, /^2018-01: loaded\nSource {3}a\.csv \(bts_short, .*, sha256 0123456789ab…\)\n/);
  t.regex(text, /Rows {5}1,100 read, 1,000 loaded, 100 rejected\n/);
  t.regex(text, /Read {5}2026-11-01 10:00 UTC by version 0\.1\.0\n/);
  t.regex(text, /│ invalid_origin +│ +70 │/);
  t.notRegex(text, /Refused|Quarantine|VERSION=/);
});

test('rejects are those of the newest refused file of flights, and the loaded month is unchanged', (t) => {
  const runs = [
    anExtract('old.csv', { invalid_hour: 5 }),
    anExtract('new.csv', { invalid_date: 9 }),
    anExtract('levels.csv', { other: 1 }, 'delay_causes'),
  ];
  const status = { ...LOADED, refusedFile: 'new.csv' };
  const detail: MonthDetail = {
    ...monthDetail(status, MANIFEST, runs),
    quarantine: '/lake/quarantine/x.parquet',
    samples: [{ line: 1_202, column: 'FL_DATE', value: '31 June', reason: 'invalid_date' }],
    versions: [{ id: '20261101T100000Z-ab', source: 'a.csv', rows: 1_000 }],
  };
  t.deepEqual(detail.rejects, [['invalid_date', 9]]);
  const text = monthText(detail);
  t.regex(
    text,
    /Refused {2}new\.csv: more than 1 % of its rows are rejected; the loaded month is unchanged\n/,
  );
  t.regex(text, /Quarantine \/lake\/quarantine\/x\.parquet\n/);
  t.regex(text, /│ 1,202 │ FL_DATE │ 31 June │ invalid_date │/);
  t.regex(text, /│ 20261101T100000Z-ab +│ a\.csv +│ +1,000 │/);
});

test('a month that was only refused shows just the reason', (t) => {
  const status: MonthStatus = {
    month: '2018-02',
    state: 'refused',
    refusedFile: 'b.csv',
    refusedWhy: 'no flights',
  };
  const text = monthText({ ...monthDetail(status, undefined, []), ...NOTHING });
  t.is(text, '2018-02: refused\nRefused  b.csv: no flights\n');
});
