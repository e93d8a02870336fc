import test from 'ava';
import { isoWeekday, monthOfYear } from '../../models/dates.ts';

test('every day of eighty years has its weekday, leap days too', (t) => {
  const days: string[] = [];
  for (let day = Date.UTC(1987, 0, 1); day < Date.UTC(2067, 0, 1); day += 86_400_000) {
    const date = new Date(day);
    const text = date.toISOString().slice(0, 10);
    if (isoWeekday(text) !== (date.getUTCDay() || 7)) days.push(text);
  }
  t.deepEqual(days, []);
  t.is(isoWeekday('2000-02-29'), 2);
});

test('the month of a date is its number', (t) => {
  t.deepEqual([monthOfYear('2026-01-31'), monthOfYear('2026-12-01')], [1, 12]);
});
