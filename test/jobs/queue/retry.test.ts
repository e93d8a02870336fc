import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { failureReason } from '../../../jobs/queue/failed-reason.ts';
import { outageWaitMs } from '../../../jobs/queue/retry.ts';
import { SourceOutageError } from '../../../pipelines/errors.ts';

const outage = (retryAfterMs: number) =>
  new SourceOutageError('2025_3.zip', 'the server answers 503', { retryAfterMs });

test('the wait grows from attempt to attempt', (t) => {
  const waits = [1, 2, 3, 4, 5].map((attempts) => outageWaitMs(attempts, undefined, () => 0));
  t.deepEqual(waits, [2_000, 6_000, 18_000, 54_000, 162_000]);
});

test('chance shortens the wait by up to a half', (t) => {
  t.is(
    outageWaitMs(1, undefined, () => 1),
    1_000,
  );
});

test('the wait is never shorter than Retry-After, up to an hour', (t) => {
  t.is(
    outageWaitMs(1, outage(60_000), () => 1),
    60_000,
  );
  t.is(
    outageWaitMs(3, outage(5_000), () => 0),
    18_000,
  );
  t.is(
    outageWaitMs(1, outage(86_400_000), () => 0),
    3_600_000,
  );
});

test('the failure of a job whose workers were killed names possible causes', (t) => {
  t.regex(failureReason({ failedReason: 'job stalled more than allowable limit' }), /MemoryMax/);
  t.is(failureReason({ failedReason: 'no rows' }), 'no rows');
});

test('every error class that jobs can throw has `isFinal`', (t) => {
  const cwd = path.join(import.meta.dirname, '../../..');
  const folders = ['models', 'pipelines', 'warehouse'];
  const files = execFileSync('git', ['grep', '-l', 'extends Error', '--', ...folders], { cwd });
  const incomplete = files
    .toString()
    .trim()
    .split('\n')
    .flatMap((file) => {
      const text = readFileSync(path.join(cwd, file), 'utf8');
      return [...text.matchAll(/class (\w+) extends Error \{(\n  readonly isFinal = )?/g)];
    })
    .filter(([, , isFinal]) => isFinal === undefined)
    .map(([, name]) => name);
  t.deepEqual(incomplete, []);
});
