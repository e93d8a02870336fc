import test from 'ava';
import { QUIET, SINCE, somePages, SUMMARY } from './helpers/ops.ts';

test('a night that went well, checks that change and queues nobody works at are shown as that', async (t) => {
  const check = (name: string, severity: 'error' | 'warn', failures: number) => ({
    ...{ check: name, severity, failures },
  });
  const builds = [
    {
      ...{ at: '2026-03-10T03:00:00.000Z', outcome: 'failed' as const },
      checks: [
        check('a', 'error', 5),
        check('b', 'warn', 2),
        check('c', 'warn', 0),
        check('d', 'error', 0),
      ],
    },
    {
      ...{ at: '2026-03-09T03:00:00.000Z', outcome: 'done' as const },
      checks: [check('a', 'error', 1), check('b', 'warn', 6), check('c', 'warn', 0)],
    },
  ];
  const job = { id: 'build-features', name: 'build', since: SINCE, attempts: 0 };
  const next = '2026-03-11T02:30:00.000Z';
  const { call } = await somePages(t, {
    hasWrites: true,
    summary: async () => ({
      ...{ ...SUMMARY, builds, host: 'mill', verdict: { code: 0, why: [] } },
      store: { kept: [], version: 'v1', builtAt: SINCE },
      model: { version: 'abc', pinned: 'abc' },
      freshness: { lastMonth: '2025-08', lastLevelMonth: '2025-12' },
    }),
    operations: async () => ({
      look: async () => ({
        queues: [
          {
            ...{ ...QUIET, queue: 'extract' as const, workers: 0, failedCount: 3 },
            running: [{ ...job, progress: '3 of 9', host: 'mill' }],
            failed: [{ ...job, why: 'disk full' }],
          },
        ],
        workers: [
          { host: 'mill', pid: 7, does: ['build-features'] },
          { host: 'barn', pid: 8, does: [] },
        ],
        schedules: [{ id: 'nightly', what: 'build', pattern: '30 2 * * *', next }],
      }),
      ask: async () => 'asked',
      boards: () => [],
      close: async () => undefined,
    }),
  });
  const overview = (await call('/ops?asked=nightly')).body;
  t.regex(overview, /class="notice good"/);
  t.true(overview.includes('No worker is connected: it waits until one is.'));
  t.regex(overview, /3 failed<\/b>.*no worker<\/b>/);
  t.regex(overview, /build-features on mill<br\s*\/?><small>3 of 9<\/small>/);
  t.regex(overview, /as the worker on mill saw it/);
  t.regex(overview, /mill, process 7: at build-features<\/li><li>\s*barn, process 8: waits/);
  for (const fact of ['Pinned', 'Delay causes until', 'Next night', 'Built']) {
    t.true(overview.includes(`<dt>${fact}</dt>`), fact);
  }
  const checks = (await call('/ops/checks')).body;
  t.regex(checks, /Last build .*, failed; 2 builds are shown\./);
  t.regex(checks, />a<\/th><td>error<\/td><td class="number"><b class="failed">5<.*?>\+4</);
  t.regex(checks, />b<\/th><td>warn<\/td><td class="number"><b class="warned">2<.*?>-4</);
  t.regex(checks, /never any/);
  const jobs = (await call('/ops/jobs')).body;
  t.true(jobs.includes('No worker.') && jobs.includes('The newest 1 are shown.'));
  t.true(jobs.includes(', to change too'));

  const bare = await somePages(t, {
    summary: async () => ({
      ...{ ...SUMMARY, builds: [], verdict: { code: 2, why: ['flights are old'] } },
      store: { kept: [], problem: 'damaged' },
    }),
  });
  t.regex((await bare.call('/ops/checks')).body, /Nothing has been built yet\./);
  const stale = (await bare.call('/ops')).body;
  t.regex(stale, /class="notice warn"/);
  t.true(stale.includes('damaged'));
});
