import test from 'ava';
import { findRefusedFiles, type LoadAttempt } from '../../../pipelines/providers/refused-files.ts';

const attempt = (at: string, isRefused = true): LoadAttempt => ({
  ...{ name: 'caa-2019.csv', sha256: 'abc', isRefused },
  at: `2026-03-${at}:00:00.000Z`,
});
const now = (day: string) => new Date(`2026-03-${day}T02:00:00Z`);

test('the wait for a refused file doubles with every day of attempts, up to 32 days', (t) => {
  const next = (attempts: LoadAttempt[], day: string) =>
    findRefusedFiles(attempts, now(day)).nextAttempt('abc');
  t.is(next([], '01'), undefined);
  t.is(next([attempt('01T02')], '02'), '2026-03-03');
  t.is(next([attempt('01T02'), attempt('01T09')], '02'), '2026-03-03', 'one day');
  t.is(next([attempt('01T02')], '03'), undefined);
  t.is(next([attempt('01T02'), attempt('03T02')], '04'), '2026-03-07');
  const many = ['01', '02', '03', '04', '05', '06', '07'].map((day) => attempt(`${day}T02`));
  t.is(next(many, '08'), '2026-04-08');
});

test('a file that was loaded since, or that has other content, does not wait', (t) => {
  const loaded = findRefusedFiles([attempt('01T02'), attempt('01T09', false)], now('02'));
  t.is(loaded.nextAttempt('abc'), undefined);
  t.false(loaded.isRefused('caa-2019.csv'));
  const refused = findRefusedFiles([attempt('01T02')], now('02'));
  t.is(refused.nextAttempt('def'), undefined);
  t.true(refused.isRefused('caa-2019.csv'));
  t.false(refused.isRefused('caa-2018.csv'));
});
