import test from 'ava';
import {
  addDays,
  dateAt,
  daysBetween,
  epochDay,
  firstDay,
  isoWeekday,
  monthOfYear,
} from '../../../warehouse/ground/dates.ts';

test('every day of eighty years has the right weekday and epoch day, including leap days', (t) => {
  const wrongDays: string[] = [];
  for (let day = Date.UTC(1987, 0, 1); day < Date.UTC(2067, 0, 1); day += 86_400_000) {
    const date = new Date(day);
    const text = date.toISOString().slice(0, 10);
    if (isoWeekday(text) !== (date.getUTCDay() || 7)) wrongDays.push(text);
    if (epochDay(text) !== day / 86_400_000) wrongDays.push(text);
  }
  t.deepEqual(wrongDays, []);
  t.is(isoWeekday('2000-02-29'), 2);
});

test('monthOfYear returns 1 for January and 12 for December', (t) => {
  t.deepEqual([monthOfYear('2026-01-31'), monthOfYear('2026-12-01')], [1, 12]);
});

test('days are added and counted across months, years and leap days, forward and back', (t) => {
  t.is(addDays('2024-02-28', 2), '2024-03-01');
  t.is(addDays('2024-02-28', 1), '2024-02-29');
  t.is(addDays('2026-12-08', 1), '2026-12-09');
  t.is(addDays('2026-01-01', -1), '2025-12-31');
  t.is(daysBetween('2024-02-28', '2024-03-01'), 2);
  t.is(daysBetween('2026-01-01', '2025-12-31'), -1);
  t.is(dateAt(Date.parse('2025-12-31T23:59:59.999Z')), '2025-12-31');
});

test('the first day of a later or earlier month is in the right year', (t) => {
  t.is(firstDay('2025-11', 2), '2026-01-01');
  t.is(firstDay('2025-01-31', 1), '2025-02-01');
  t.is(firstDay('2025-01-31', -13), '2023-12-01');
  t.is(firstDay('2025-05-31', 0), '2025-05-01');
});
