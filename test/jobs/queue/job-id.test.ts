import test from 'ava';
import { jobId } from '../../../jobs/queue/job-id.ts';

test('requests share an id only if all their parameters are equal', (t) => {
  const source = { kind: 'folder', path: '/flights' };
  const request = { months: ['2025-01', '2025-03'], source, force: false };
  const ids = [
    request,
    { ...request, months: ['2025-01', '2025-02', '2025-03'] },
    { ...request, source: { ...source, path: '/other' } },
    { ...request, force: true },
    { ...request, andThen: 'nightly' },
  ].map((parameters) => jobId('backfill', parameters));
  t.is(new Set(ids).size, ids.length);
  for (const id of ids) t.regex(id, /^backfill-[0-9a-f]{12}$/);
});

test('the order of parameters and absent options do not change the id', (t) => {
  const id = jobId('backfill', { months: ['2025-01'], source: { kind: 'url', base: 'b' } });
  t.is(id, jobId('backfill', { source: { base: 'b', kind: 'url' }, months: ['2025-01'] }));
  t.is(
    id,
    jobId('backfill', { months: ['2025-01'], source: { kind: 'url', base: 'b' }, force: false }),
  );
  t.is(jobId('publish', { after: undefined }), 'publish');
});

test('the order of a list changes the id', (t) => {
  t.not(jobId('a', { files: ['1', '2'] }), jobId('a', { files: ['2', '1'] }));
});
