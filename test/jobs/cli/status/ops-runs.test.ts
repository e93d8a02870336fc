import test from 'ava';
import { runDetail } from '../../../../jobs/cli/status/ops-runs.ts';
import type { Run } from '../../../../warehouse/lake/ledger.ts';

const EXTENT = {
  source: 'a.csv',
  form: 'bts_reporting',
  rows: 600,
  days: 30,
  airports: 2,
  airlines: 1,
};

const RUN: Run = {
  id: '20260310T135930000Z-extract-abc123',
  step: 'extract',
  outcome: 'done',
  startedAt: '2026-03-10T13:59:30.000Z',
  finishedAt: '2026-03-10T13:59:34.000Z',
  inputs: [{ name: 'a.csv' }],
  codeVersion: 'v1',
  detail: {
    months: [
      {
        month: '2025-09',
        outcome: 'refused',
        replaced: { before: { ...EXTENT, flights: 600 }, after: { ...EXTENT, flights: 590 } },
        losses: {
          ...{ byDay: true, flights: 40, gained: 30, halved: 1 },
          groups: [{ airline: 'AS', airport: 'SEA', before: 100, after: 60, lost: 40 }],
        },
      },
      { month: '2025-10', outcome: 'unchanged' },
    ],
  },
};

test('the changes of a run are the counts of its months, and the groups that lost flights', (t) => {
  t.deepEqual(runDetail(RUN).changes, [
    { month: '2025-09', group: 'flights', before: 600, after: 590 },
    { month: '2025-09', group: 'AS at SEA', before: 100, after: 60 },
  ]);
  t.deepEqual(runDetail({ ...RUN, outcome: 'failed' }).changes, []);
});
