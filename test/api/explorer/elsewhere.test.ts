import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import { coveringCountry, elsewhereOf } from '../../../api/explorer/endpoints/elsewhere.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import { commandFor, noRecord } from '../../../api/explorer/views/flight/no-record.ts';
import { resolveFlight } from '../../../api/scoring/flight-query.ts';
import { textOf } from '../helpers/page-get.ts';
import { aStore, someStats } from '../../helpers/store.ts';

const NOW = new Date('2026-03-10T14:00:00Z');

test('a flight without a record has figures of its airports and its airline elsewhere, from the record with most of them', (t) => {
  const home = aStore();
  const stats = someStats({ completedCount: 2_000, delayedCount: 100 });
  const part = {
    ...home,
    manifest: { ...home.manifest, provider: 'hkia' },
    airlineRoutes: () => [{ origin: 'JFK', dest: 'HKG', carrier: 'CX' }],
    routeCarrier: () => stats,
  };
  const store = {
    ...home,
    airlineRoutes: () => [{ origin: 'JFK', dest: 'LAX', carrier: 'AA' }],
    parts: [part],
  };
  const params = { origin: 'JFK', dest: 'AKL', airline: 'AA', date: '2026-03-20' };
  const [from, airline, ...others] = elsewhereOf(resolveFlight(params, store, NOW), store);
  t.like(from, { provider: 'hkia', flights: 2_000, late_share: 0.05 });
  t.regex(from?.name ?? '', /^From .*JFK$/);
  const own = home.routeCarrier('JFK', 'LAX', 'AA');
  t.like(airline, { provider: 'bts', flights: own?.completedCount ?? 0 });
  t.deepEqual(others, []);
});

test('a route without flights needs no other record if a record of the country has flights of both airports', (t) => {
  const covering = (dest: string, ...routes: string[]) => {
    const airlineRoutes = () =>
      routes.map((route) => ({
        ...{ origin: route.slice(0, 3), dest: route.slice(4), carrier: 'AA' },
      }));
    const store = { ...aStore(), airlineRoutes };
    const params = { origin: 'JFK', dest, airline: 'AA', date: '2026-03-20' };
    return coveringCountry(resolveFlight(params, store, NOW), store);
  };
  t.is(covering('LAX', 'JFK-ORD', 'JFK-SFO', 'LAX-ORD'), 'United States');
  t.is(covering('AKL', 'JFK-ORD', 'JFK-SFO', 'AKL-ORD'), null);
  t.is(covering('LAX'), null);
  t.is(covering('LAX', 'JFK-ORD', 'JFK-SFO'), null);
  // A record of the flights of ORD only.
  t.is(covering('LAX', 'JFK-ORD', 'LAX-ORD', 'ORD-JFK', 'ORD-LAX'), null);
});

test('operators get the command for the country of a flight without a record', (t) => {
  t.regex(commandFor(['France', 'United Kingdom']), /PROVIDER=caa/);
  t.is(commandFor(['France', 'Spain']), 'make ingest');
});

test('a page without a record has no command outside the part for operators', (t) => {
  const page = renderToString(noRecord(flightBetween('United Kingdom', null), FRAME) as never);
  const [forTravellers = '', forOperators = ''] = page.split('<details>');
  t.false(/make |docs\//.test(forTravellers));
  t.true(textOf(forTravellers).includes('Headwind knows the flights of some countries only.'));
  t.true(
    textOf(forOperators).startsWith(
      'For administrators of this server This command loads flight records: make',
    ),
  );
});

test('a page without a record does not claim that no airline flies the route: a record may leave routes out', (t) => {
  const data = flightBetween('Australia', 'Australia');
  const text = textOf(renderToString(noRecord(data, FRAME) as never));
  t.regex(
    text,
    /are on record \(Australia\), but none between them\. Either no airline flies this route non-stop, or the record leaves it out\./,
  );
});

const FRAME = { address: '/', site: 'http://localhost', locale: 'en-GB' };

/** Returns data of a flight without a record, between airports of one country. */
function flightBetween(country: string, covering: string | null): FlightData {
  return {
    score: {
      ...{ score: 47, origin_info: { country }, dest_info: { country } },
      input: { origin: 'SYD', destination: 'KGI' },
    },
    ...{ other_pairs: [], elsewhere: [], covering_country: covering },
  } as unknown as FlightData;
}
