import test from 'ava';
import type { CalendarBody } from '../../../api/schemas/calendar.ts';
import { findBetterOptions } from '../../../api/explorer/views/flight/better.ts';
import type { FlightData, FullScore } from '../../../api/explorer/views/flight/flight-data.ts';
import {
  flyAdvice,
  nameWithPartners,
  partnersNote,
  sellerOf,
} from '../../../api/explorer/views/partners.ts';
import { riskLabel } from '../../../models/label.ts';

/** A flight with a score of 50 at 08:00 on 20 March. */
function aFlight(changes: Partial<FlightData> = {}, by_hour: [number, number][] = []): FlightData {
  const input = {
    origin: 'JFK',
    destination: 'LAX',
    airline: 'AA',
    flight_date: '2026-03-20',
    dep_time: '08:00',
  };
  const hours = by_hour.map(([hour, score]) => ({ hour, score, label: riskLabel(score) }));
  return {
    score: { score: 50, input, by_hour: hours } as unknown as FullScore,
    rivals: [],
    known_now: [],
    hours: null,
    months: [],
    today: '2026-03-10',
    last: '2027-03-10',
    ...changes,
  };
}

const days = (...scores: [string, number | null][]) =>
  [{ days: scores.map(([date, score]) => ({ date, score })) }] as CalendarBody[];

const aRival = (airline: string, score: number, total_flights = 3_000, is_current = true) => ({
  airline,
  airline_name: airline,
  score,
  label: riskLabel(score),
  total_flights,
  record: { first: '2018-01', last: '2025-04' },
  is_current,
});

test('a better hour is one in which the airline has departures', (t) => {
  const hours = Array.from({ length: 24 }, (_, hour) => ([6, 8].includes(hour) ? 0.5 : 0));
  const flight = aFlight({ hours }, [
    [4, 10],
    [6, 33],
    [8, 50],
  ]);
  t.like(findBetterOptions(flight), [
    { kind: 'hour', hour: 6, score: 33, address: '/flights/JFK-LAX-AA-2026-03-20?dep_time=06:00' },
  ]);
  t.deepEqual(findBetterOptions({ ...flight, hours: null }), []);
});

test('a better airline has a record on the route and still flies the route, and a better day is near and not in the past', (t) => {
  const rivals = [aRival('B6', 20, 3), aRival('AS', 30, 3_000, false), aRival('DL', 40)];
  t.like(findBetterOptions(aFlight({ rivals })), [
    { kind: 'airline', airline: 'DL', name: 'DL', until: '2025-04', score: 40 },
  ]);
  const months = days(
    ['2026-03-16', 1],
    ['2026-03-18', 44],
    ['2026-03-21', 44],
    ['2026-03-22', null],
  );
  t.like(findBetterOptions(aFlight({ months })), [{ kind: 'day', date: '2026-03-21', score: 44 }]);
  t.deepEqual(findBetterOptions(aFlight({ months, today: '2026-03-22' })), []);
});

test('for an airline that flies for others, pages name the sellers; a closed airline is not recommended', (t) => {
  t.is(
    flyAdvice('Republic Airways', 'YX'),
    'Fly Republic Airways (book American, Delta or United)',
  );
  t.is(flyAdvice('JetBlue Airways', 'B6'), 'Fly JetBlue Airways');
  t.is(nameWithPartners('Endeavor Air', '9E'), 'Endeavor Air (flies for Delta)');
  t.is(
    partnersNote([
      { code: 'DL', name: 'Delta Air Lines' },
      { code: 'CP', name: 'Compass Airlines' },
      { code: 'QX', name: 'Horizon Air' },
    ]),
    ' Some airlines sell few tickets themselves: Compass Airlines flew for American and Delta until 2020; Horizon Air flies for Alaska.',
  );
  t.is(partnersNote([{ code: 'DL', name: 'Delta Air Lines' }]), '');
  t.is(sellerOf('AA', 'YX'), 'American');
  t.is(sellerOf('UA', 'MQ'), undefined);
  t.is(sellerOf('UA', 'EV'), undefined);
  const rivals = [aRival('EV', 20), aRival('YX', 40)];
  t.like(findBetterOptions(aFlight({ rivals })), [{ kind: 'airline', airline: 'YX', score: 40 }]);
});

test('a gain of fewer than three points is not a better option', (t) => {
  t.deepEqual(findBetterOptions(aFlight({ months: days(['2026-03-21', 48]) })), []);
});

test('better options are sorted by gain, and gains inside the interval are omitted', (t) => {
  const months = days(['2026-03-21', 30]);
  const flight = aFlight({ months, rivals: [aRival('DL', 20)] });
  t.deepEqual(
    findBetterOptions(flight).map(({ kind, score }) => [kind, score]),
    [
      ['airline', 20],
      ['day', 30],
    ],
  );
  const within = (low: number) =>
    findBetterOptions({
      ...flight,
      score: { ...flight.score, interval: { level: 0.9, low, high: 60, ml_probability: null } },
    }).map(({ score }) => score);
  t.deepEqual(within(31), [20, 30]);
  t.deepEqual(within(30), [20]);
  t.deepEqual(within(20), []);
});
