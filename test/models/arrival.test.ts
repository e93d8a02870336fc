import test from 'ava';
import { arrivalOf } from '../../models/arrival.ts';

const place = (latitude: number, longitude: number, timeZone: string) => ({
  latitude,
  longitude,
  timeZone,
});
const JFK = place(40.64, -73.78, 'America/New_York');
const LAX = place(33.94, -118.41, 'America/Los_Angeles');
const LHR = place(51.47, -0.45, 'Europe/London');
const SYD = place(-33.95, 151.18, 'Australia/Sydney');
const NEW_YEARS_EVE = { flightDate: '2026-12-31' };

test('without an hour the date of arrival is computed for a departure at 14:00', (t) => {
  const date = (from: typeof JFK, to: typeof JFK) => arrivalOf(NEW_YEARS_EVE, from, to).date;
  t.is(date(JFK, LAX), '2026-12-31');
  t.is(date(LAX, JFK), '2026-12-31');
  // The flight takes seven hours, and London is five hours ahead.
  t.is(date(JFK, LHR), '2027-01-01');
  // Across the date line, and back on the same day.
  t.is(date(LAX, SYD), '2027-01-01');
  t.is(date(SYD, LAX), '2026-12-31');
});

test('with an hour the arrival is in local time of the destination', (t) => {
  const at = (crsDepHour: number, from: typeof JFK, to: typeof JFK) =>
    arrivalOf({ ...NEW_YEARS_EVE, crsDepHour }, from, to);
  // The flight takes five and a half hours, and Los Angeles is three hours behind.
  t.like(at(9, JFK, LAX), { date: '2026-12-31', hour: 11 });
  t.like(at(22, LAX, JFK), { date: '2027-01-01', hour: 6 });
  t.like(at(21, JFK, LHR), { date: '2027-01-01', hour: 9 });
});

test('daylight saving time at one end changes the local hour of arrival', (t) => {
  const hour = (flightDate: string) => arrivalOf({ flightDate, crsDepHour: 9 }, JFK, SYD).hour;
  // New York is 16 hours behind Sydney in January, and 14 in July.
  t.is((hour('2026-01-10') - hour('2026-07-10') + 24) % 24, 2);
});
