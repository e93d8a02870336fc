import test from 'ava';
import type { OpsRunDetail } from '../../warehouse/live/ops-runs.ts';
import { SINCE, somePages, SUMMARY } from './helpers/ops.ts';

const JOB = { queue: 'extract', id: 'extract-flights-2025-09', attempt: 2, attempts: 6 };
const RUN: OpsRunDetail = {
  id: '20260310T135930000Z-extract-abc123',
  step: 'extract',
  outcome: 'failed',
  startedAt: SINCE,
  finishedAt: '2026-03-10T13:59:34.000Z',
  inputs: [{ name: 'b.zip', sha256: '0123456789abcdef' }],
  error: 'too many bad rows <script>',
  job: { ...JOB, parent: 'load-flights-2025-09' },
  codeVersion: '0.0.0+abc',
  parts: [{ name: 'read 900 rows', startedAt: SINCE, ms: 3_000 }],
  log: [{ at: SINCE, level: 'warn', text: 'the server is slow' }],
  rejects: { invalid_date: 7 },
  months: [{ month: '2025-09', outcome: 'refused', why: 'far fewer flights' }],
  changes: [
    { month: '2025-09', group: 'airports', before: 300, after: 301 },
    { month: '2025-09', group: 'flights', before: 600, after: 100 },
  ],
  notes: ['the year is from the name'],
};
const OTHERS = [
  { ...SUMMARY.runs[0]!, id: 'first-try', job: { ...JOB, attempt: 1 } },
  { ...SUMMARY.runs[0]!, id: 'the-load', job: { ...JOB, id: 'load-flights-2025-09' } },
  { ...SUMMARY.runs[0]!, id: 'unrelated', job: { ...JOB, id: 'nightly' } },
];

const changes: Parameters<typeof somePages>[1] = {
  run: async (id) => (id === RUN.id ? RUN : undefined),
  summary: async () => ({ ...SUMMARY, runs: OTHERS }),
  operations: async () => ({
    readState: async () => ({ queues: [], workers: [], schedules: [] }),
    readJob: async () => ({
      state: 'delayed',
      errors: ['connection reset'],
      children: [{ queue: 'live', id: 'a-child' }],
    }),
    enqueue: async () => 'request-1',
    boards: () => [],
    close: async () => undefined,
  }),
};

test('the page of a run shows its times, changes, rejects, log, job, and related runs', async (t) => {
  const { call } = await somePages(t, changes);
  const { status, body } = await call(`/ops/runs/${RUN.id}`);
  t.is(status, 200);
  const text = body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  for (const words of [
    'too many bad rows &lt;script>',
    'read 900 rows 13:59:30 3.0 s 75 %',
    '2025-09 refused far fewer flights',
    '2025-09 flights 600 100 -500 2025-09 airports 300 301 +1',
    'invalid_date 7',
    'the year is from the name',
    'Attempt 2 of at most 6 Now delayed',
    'connection reset',
    '13:59:30.000 warn the server is slow',
  ]) {
    t.true(text.includes(words), words);
  }
  const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  for (const href of [
    '/ops/runs/first-try',
    '/ops/runs/the-load',
    '/ops/queues/queue/extract/extract-flights-2025-09',
    '/ops/queues/queue/live/a-child',
    '/ops/months/2025-09',
  ]) {
    t.true(links.includes(href), href);
  }
  t.false(links.includes('/ops/runs/unrelated'));
});

test('a run of a command has no job, and an unknown run is not found', async (t) => {
  const { job: _, ...ownRun } = RUN;
  const { call } = await somePages(t, {
    ...changes,
    run: async (id) => (id === 'own' ? { ...ownRun, log: [], parts: [] } : undefined),
  });
  const { body } = await call('/ops/runs/own');
  t.regex(body, /This run has no log lines/);
  t.notRegex(body, /Attempt|first-try/);
  t.is((await call('/ops/runs/unknown')).status, 404);
  t.is((await call('/api/ops/runs/unknown')).status, 404);
});

test('programs get a run as JSON, and lists link to the pages of runs', async (t) => {
  const { call } = await somePages(t, changes);
  const { body } = await call(`/api/ops/runs/${RUN.id}`);
  t.like(JSON.parse(body), { rejects: { invalid_date: 7 }, code_version: '0.0.0+abc' });
  for (const path of ['/ops', '/ops/runs']) {
    t.true((await call(path)).body.includes('href="/ops/runs/first-try"'), path);
  }
});
