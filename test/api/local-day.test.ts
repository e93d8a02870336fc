import test from 'ava';
import { localDay } from '../../api/local-day.ts';

const dayIn = (timeZone: string, at: string) => localDay(timeZone, new Date(at));

test('the day is the calendar day of the zone, also around its midnight', (t) => {
  t.is(dayIn('America/New_York', '2026-03-10T03:59:59.999Z').date, '2026-03-09');
  t.is(dayIn('America/New_York', '2026-03-10T04:00:00Z').date, '2026-03-10');
  t.is(dayIn('America/New_York', '2026-03-10T03:59:59.999Z').date, '2026-03-09');
  t.is(dayIn('Asia/Kathmandu', '2026-03-09T18:14:59.999Z').date, '2026-03-09');
  t.is(dayIn('Asia/Kathmandu', '2026-03-09T18:15:00Z').date, '2026-03-10');
});

test('two zones may have different days at one instant', (t) => {
  t.is(dayIn('Pacific/Auckland', '2026-03-10T14:00:00Z').date, '2026-03-11');
  t.is(dayIn('Pacific/Honolulu', '2026-03-10T09:00:00Z').date, '2026-03-09');
});

test('the horizon is 365 days ahead, also across a leap day', (t) => {
  t.is(dayIn('UTC', '2026-03-10T14:00:00Z').horizon, '2027-03-10');
  t.is(dayIn('UTC', '2028-02-10T14:00:00Z').horizon, '2029-02-09');
});

test('every zone has a UTC offset of whole quarter hours, so a day may be cached for a quarter of an hour', (t) => {
  const minute = (timeZone: string, month: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, minute: 'numeric', second: 'numeric' })
      .formatToParts(new Date(Date.UTC(2026, month, 15)))
      .map(({ type, value }) => (type === 'literal' ? '' : Number(value)))
      .filter((value) => value !== '');
  const zones = Intl.supportedValuesOf('timeZone');
  t.true(zones.length > 300);
  for (const zone of zones) {
    for (const month of [0, 6]) {
      const [minutes, seconds] = minute(zone, month);
      t.is(Number(minutes) % 15, 0, zone);
      t.is(seconds, 0, zone);
    }
  }
});
