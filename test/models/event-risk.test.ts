import test from 'ava';
import { weightOf, type EventFlight, type FlightEvent } from '../../models/event-risk.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

const event = (changes: Partial<FlightEvent> = {}): FlightEvent => ({
  eventType: 'strike',
  severity: 0.8,
  publishedAt: '2026-11-20T12:00:00Z',
  touches: { airports: ['JFK'], carriers: [], countries: [] },
  source: 'The Wire',
  ...changes,
});

const flight = (changes: Partial<EventFlight> = {}): EventFlight => ({
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'AA',
  flightDate: '2026-11-20',
  countries: ['US', 'US'],
  ...changes,
});

const weight = (one: FlightEvent, changes: Partial<EventFlight> = {}, now = NOW) =>
  Math.round(1000 * weightOf(one, flight(changes), now)) / 1000;

const touches = (changes: Partial<FlightEvent['touches']>) => ({
  touches: { airports: [], carriers: [], countries: [], ...changes },
});

test('an event at an airport affects only flights from and to this airport', (t) => {
  t.is(weight(event()), 1);
  t.is(weight(event(), { origin: 'BOS', dest: 'JFK' }), 1);
  t.is(weight(event(), { origin: 'BOS' }), 0);
});

test('an event in a country affects all its airports', (t) => {
  t.is(weight(event(touches({ countries: ['US'] }))), 1);
  t.is(weight(event(touches({ countries: ['US'] })), { countries: ['GB', 'US'] }), 1);
  t.is(weight(event(touches({ countries: ['FR'] }))), 0);
});

test('an event of an airline affects its flights; at an airport it affects other airlines by half', (t) => {
  t.is(weight(event(touches({ carriers: ['AA'] }))), 1);
  t.is(weight(event(touches({ carriers: ['DL'] }))), 0);
  t.is(weight(event(touches({ carriers: ['AA'], airports: ['JFK'] }))), 1);
  t.is(weight(event(touches({ carriers: ['DL'], airports: ['JFK'] }))), 0.5);
  t.is(weight(event(touches({ carriers: ['AA'], airports: ['BOS'] }))), 0);
  t.is(weight(event(touches({ carriers: ['AA'], countries: ['FR'] }))), 0);
});

test('an event fades with its age and has no effect after seven days', (t) => {
  const after = (iso: string) => weight(event(), {}, new Date(iso));
  t.is(after('2026-11-20T12:00:00Z'), 1);
  t.is(after('2026-11-24T00:00:00Z'), 0.5);
  t.is(after('2026-11-27T12:00:00Z'), 0);
  t.is(after('2027-11-27T12:00:00Z'), 0);
});

test('an event affects flights of its day most, later flights less, and no flight beyond its reach', (t) => {
  const on = (flightDate: string, one = event()) => weight(one, { flightDate });
  t.is(on('2026-11-19'), 1, 'the day before in UTC may be the same local day');
  t.is(on('2026-11-18'), 0);
  t.is(on('2026-11-21'), 0.862);
  t.is(on('2026-11-27'), 0.25);
  t.is(on('2026-12-04'), 0);
  t.is(on('2027-05-20'), 0);
  const storm = event({ eventType: 'weather' });
  t.is(on('2026-11-22', storm), 0.25);
  t.is(on('2026-11-24', storm), 0);
});

test('an event with dates affects flights on these days, and by a quarter on the day after', (t) => {
  const strike = event({ days: { from: '2026-11-24', until: '2026-11-25' } });
  const on = (flightDate: string, now = NOW) => weight(strike, { flightDate }, now);
  t.deepEqual(
    ['2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'].map(
      (date) => on(date),
    ),
    [0, 0, 1, 1, 0.25, 0],
  );
  const onTheDay = new Date('2026-11-25T18:00:00Z');
  t.is(on('2026-11-25', onTheDay), 1, 'an event does not fade before its days are over');
  t.is(on('2026-11-26', new Date('2026-11-29T12:00:00Z')), 0.125);
});
