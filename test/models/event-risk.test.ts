import test from 'ava';
import { eventRisk, type EventFlight, type FlightEvent } from '../../models/event-risk.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

const event = (changes: Partial<FlightEvent> = {}): FlightEvent => ({
  eventType: 'strike',
  severity: 0.8,
  publishedAt: '2026-11-20T12:00:00Z',
  touches: { airports: ['JFK'], carriers: [], countries: [] },
  ...changes,
});

const flight = (changes: Partial<EventFlight> = {}): EventFlight => ({
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'AA',
  flightDate: '2026-11-21',
  countries: ['US', 'US'],
  ...changes,
});

const risk = (events: FlightEvent[], changes: Partial<EventFlight> = {}, now = NOW) =>
  Math.round(1000 * eventRisk(flight(changes), events, now)) / 1000;

const touches = (changes: Partial<FlightEvent['touches']>) => ({
  touches: { airports: [], carriers: [], countries: [], ...changes },
});

test('an event at an airport touches flights from and to it, and no others', (t) => {
  t.is(risk([event()]), 0.8);
  t.is(risk([event()], { origin: 'BOS', dest: 'JFK' }), 0.8);
  t.is(risk([event()], { origin: 'BOS' }), 0);
  t.is(risk([]), 0);
});

test('an event of a country touches all its airports', (t) => {
  t.is(risk([event(touches({ countries: ['US'] }))]), 0.8);
  t.is(risk([event(touches({ countries: ['US'] }))], { countries: ['GB', 'US'] }), 0.8);
  t.is(risk([event(touches({ countries: ['FR'] }))]), 0);
});

test('an event of an airline touches its flights; at an airport, the others there by half', (t) => {
  t.is(risk([event(touches({ carriers: ['AA'] }))]), 0.8);
  t.is(risk([event(touches({ carriers: ['DL'] }))]), 0);
  t.is(risk([event(touches({ carriers: ['AA'], airports: ['JFK'] }))]), 0.8);
  t.is(risk([event(touches({ carriers: ['DL'], airports: ['JFK'] }))]), 0.4);
  t.is(risk([event(touches({ carriers: ['AA'], airports: ['BOS'] }))]), 0);
  t.is(risk([event(touches({ carriers: ['AA'], countries: ['FR'] }))]), 0);
});

test('an event fades with its age and says nothing after seven days', (t) => {
  const after = (iso: string) => risk([event()], {}, new Date(iso));
  t.is(after('2026-11-20T12:00:00Z'), 0.8);
  t.is(after('2026-11-24T00:00:00Z'), 0.4);
  t.is(after('2026-11-27T12:00:00Z'), 0);
  t.is(after('2027-11-27T12:00:00Z'), 0);
});

test('an event touches flights near it, not those months ahead', (t) => {
  t.is(risk([event()], { flightDate: '2026-11-27' }), 0.8);
  t.is(risk([event()], { flightDate: '2026-12-01' }), 0.343);
  t.is(risk([event()], { flightDate: '2026-12-04' }), 0);
  t.is(risk([event()], { flightDate: '2027-05-20' }), 0);
  t.is(risk([event()], { flightDate: '2026-11-18' }), 0);
  t.is(risk([event({ eventType: 'weather' })], { flightDate: '2026-11-23' }), 0.4);
  t.is(risk([event({ eventType: 'weather' })], { flightDate: '2026-11-24' }), 0);
});

test('events add up without ever passing 1', (t) => {
  t.is(risk([event({ severity: 0.5 }), event({ severity: 0.5 })]), 0.75);
  t.is(risk(Array.from({ length: 50 }, () => event())), 1);
});
