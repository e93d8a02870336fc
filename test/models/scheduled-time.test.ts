import test from 'ava';
import {
  arrivalNear,
  estimateArrival,
  minuteOf,
  minutesBetween,
  timeOf,
} from '../../models/scheduled-time.ts';

const NEW_YORK = { latitude: 40.64, longitude: -73.78, timeZone: 'America/New_York' };
const LOS_ANGELES = { latitude: 33.94, longitude: -118.41, timeZone: 'America/Los_Angeles' };
const AUCKLAND = { latitude: -37.01, longitude: 174.79, timeZone: 'Pacific/Auckland' };

test('flights to the west take longer than flights to the east', (t) => {
  const noon = { date: '2026-03-20', minute: 720 };
  const zoneMin = 180;
  const west = minutesBetween(noon, estimateArrival(noon, NEW_YORK, LOS_ANGELES)) + zoneMin;
  const east = minutesBetween(noon, estimateArrival(noon, LOS_ANGELES, NEW_YORK)) - zoneMin;
  // Airlines schedule about 6:20 and 5:25 hours.
  t.true(Math.abs(west - 380) < 20, `${west}`);
  t.true(Math.abs(east - 325) < 20, `${east}`);
});

test('arrivals are local and may be on another date', (t) => {
  const evening = { date: '2026-03-31', minute: minuteOf('22:00') };
  const arrival = estimateArrival(evening, LOS_ANGELES, NEW_YORK);
  t.is(arrival.date, '2026-04-01');
  t.regex(timeOf(arrival.minute), /^06:[0-5]\d$/);
  t.is(estimateArrival(evening, LOS_ANGELES, AUCKLAND).date, '2026-04-02');
  t.is(estimateArrival({ ...evening, minute: 720 }, AUCKLAND, LOS_ANGELES).date, '2026-03-31');
});

test('an arrival time is on the date that is closest to the estimate', (t) => {
  const estimate = { date: '2026-03-31', minute: minuteOf('23:50') };
  t.deepEqual(arrivalNear(estimate, 10), { date: '2026-04-01', minute: 10 });
  t.deepEqual(arrivalNear(estimate, 1_400), { date: '2026-03-31', minute: 1_400 });
  t.deepEqual(arrivalNear({ date: '2026-04-01', minute: 10 }, 1_430), {
    date: '2026-03-31',
    minute: 1_430,
  });
});

test('minutes between local times span midnight and may be negative', (t) => {
  const [before, after] = [
    { date: '2026-02-28', minute: 1_430 },
    { date: '2026-03-01', minute: 20 },
  ];
  t.is(minutesBetween(before, after), 30);
  t.is(minutesBetween(after, before), -30);
});
