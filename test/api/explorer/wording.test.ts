import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import { airportEndpoint } from '../../../api/explorer/endpoints/airport.ts';
import { mapEndpoint } from '../../../api/explorer/endpoints/map.ts';
import { flightCount, monthsAgo, spanText } from '../../../api/explorer/views/format.ts';
import type { Content } from '../../../api/explorer/views/html.ts';
import type { MapData } from '../../../api/explorer/views/map/map-data.ts';
import { forecastDots, payoutText } from '../../../api/explorer/views/model/forecast-dots.ts';
import { operatedBy } from '../../../api/explorer/views/operators.ts';
import { airportPage } from '../../../api/explorer/views/places/airport-page.ts';
import { countBars } from '../../../api/explorer/views/places/count-bars.ts';
import type { AirportData } from '../../../api/explorer/views/places/places-data.ts';
import { riskChip } from '../../../api/explorer/views/risk-chip.ts';
import { tripLegs } from '../../../api/explorer/views/trips/trip-legs.ts';
import type { TripData } from '../../../api/explorer/views/trips/trip-data.ts';
import { TRIP_EXAMPLES } from '../../../api/openapi/trip-examples.ts';
import { someDeps } from '../helpers/app.ts';
import { textOf } from '../helpers/page-get.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

const markupOf = (content: Content) => renderToString(content as never);
const frame = { address: '/', site: 'http://localhost', locale: 'en-GB' };

test('the months of a record are counted, and gaps are named', (t) => {
  const text = (first: string, last: string, months: number) =>
    spanText({ first, last, months }, 'en-GB', 'short');
  t.is(text('2018-01', '2025-04', 34), '34 of the 88 months from Jan 2018 to Apr 2025');
  t.is(text('2025-10', '2025-12', 3), '3 months from Oct 2025 to Dec 2025');
  t.is(text('2022-04', '2022-04', 1), 'Apr 2022');
  t.is(text('', '', 0), 'empty');
});

test('one flight is not called “1 flights”', (t) => {
  t.is(flightCount(1, 'en-GB'), '1 flight');
  t.is(flightCount(0, 'en-GB'), '0 flights');
  t.is(flightCount(6_130, 'en-GB'), '6,130 flights');
});

test('the age of a record is in months, and from two years in years', (t) => {
  const ageOf = (month: string) => monthsAgo(month, '2026-03-20', 'en-GB');
  t.deepEqual(['2026-03', '2026-02', '2025-12', '2024-04', '2024-03', '2019-12'].map(ageOf), [
    'this month',
    'last month',
    '3 months ago',
    '23 months ago',
    '2 years ago',
    '6 years ago',
  ]);
});

test('a risk on a list shows its probability first, and a score alone is called a score', (t) => {
  t.is(textOf(markupOf(riskChip({ score: 62, share: 0.21 }, 'en-GB'))).trim(), '21% 62 High');
  t.is(textOf(markupOf(riskChip({ score: 62, share: null }, 'en-GB'))).trim(), 'Score 62 High');
});

test('an airline that operates practically all its flights has no operators', (t) => {
  const operator = (airline: string, share: number) => ({
    ...{ airline, name: `Airline ${airline}`, share },
    inferred: null,
  });
  const own = { airline: 'UA', operators: [operator('UA', 0.999), operator('YX', 0.001)] };
  t.is(operatedBy(own, 'en-GB'), '');
  const shared = { airline: 'UA', operators: [operator('UA', 0.6), operator('YX', 0.4)] };
  t.is(operatedBy(shared, 'en-GB'), 'operated by Airline UA (60%) and Airline YX (40%)');
  const other = { airline: 'UA', operators: [operator('YX', 1)] };
  t.is(operatedBy(other, 'en-GB'), 'operated by Airline YX');
});

test('terms of a payout are a list in words', (t) => {
  t.is(
    payoutText('60:100,120:250,cancelled:400'),
    '100 for a flight more than 60 minutes late, 250 for a flight more than 120 minutes late and 400 for a cancelled flight',
  );
});

test('a bar of one late flight does not shrink the other bars of a chart', (t) => {
  const slot = (name: string, flights: number, late: number) => ({
    ...{ name, full: name },
    counted: { flights, late, cancelled: 0 },
  });
  const chart = { id: 'hours', title: 'By hour', note: '', every: 1 };
  const heights = (slots: ReturnType<typeof slot>[]) =>
    [
      ...markupOf(countBars({ ...chart, slots }, frame)).matchAll(
        /<rect class="risk-\d[^>]* height="([\d.]+)"[^>]*rx/g,
      ),
    ].map(([, height]) => Number(height));
  const [usual] = heights([slot('8', 1_000, 100)]);
  const [beside, single] = heights([slot('8', 1_000, 100), slot('9', 1, 1)]);
  t.is(beside, usual);
  t.true(single! > usual!);
  // If no bar has many flights, the scale fits the highest bar.
  const [low, high] = heights([slot('8', 10, 5), slot('9', 10, 10)]);
  t.true(Math.abs(high! - 2 * low!) < 0.1, `${low} ${high}`);
});

test('a chart without any flight is not drawn', (t) => {
  const slots = [{ name: '8', full: '8:00', counted: null }];
  const chart = { id: 'hours', title: 'By hour', note: '', every: 1 };
  t.is(countBars({ ...chart, slots }, frame), undefined);
});

test('a trip shows the later flight of the record if the schedule has no later flight', (t) => {
  const { itinerary } = TRIP_EXAMPLES;
  const textWith = (next_dep_time: string | null) => {
    const connections = itinerary.connections.map((one) => ({ ...one, next_dep_time }));
    const legs = tripLegs(
      { cities: {}, shares: [] as TripData['shares'] } as TripData,
      { ...itinerary, connections },
      frame,
    );
    return textOf(markupOf(legs));
  };
  t.regex(
    textWith('15:00'),
    /no later flight that day.*a later flight departs between 15:00 and 15:59/,
  );
  const unknown = 'No later flight of American Airlines is known for that day.';
  t.true(textWith(null).includes(unknown));
  t.false(textWith('15:00').includes(unknown));
});

test('the airlines of the map are listed by name', async (t) => {
  const deps = someDeps({ stores: { current: () => PLACES_STORE } });
  const { airlines } = (await mapEndpoint.answer({}, deps)) as MapData;
  const names = airlines.map(({ name }) => name);
  t.true(names.length > 1);
  t.deepEqual(
    names,
    names.toSorted((a, b) => a.localeCompare(b, 'en')),
  );
});

test('an airport without a city is named once in its heading', async (t) => {
  const deps = someDeps({ stores: { current: () => PLACES_STORE } });
  const data = (await airportEndpoint.answer({ airport: 'JFK' }, deps)) as AirportData;
  const { name, city } = data.airport;
  const headingOf = (airport: AirportData['airport']) =>
    textOf(
      /<h1>.*?<\/h1>/s.exec(markupOf(airportPage.view({ ...data, airport }, frame)))?.[0] ?? '',
    );
  t.true(headingOf(data.airport).startsWith(`${city} JFK ${name},`));
  const heading = headingOf({ ...data.airport, city: name });
  t.is(heading.split(name).length, 2, heading);
});

test('the name of the vertical axis does not touch the figure of the highest line', (t) => {
  const dots = [{ name: 'AA', flights: 10, forecast: 40, actual: 40 }];
  const picture = { id: 'payout', title: 'Payout', note: '', group: 'Airline', dots };
  const markup = markupOf(forecastDots(picture, String, 'en-GB'));
  const highest = /y="([\d.]+)" text-anchor="end">40</.exec(markup);
  const axis = /y="([\d.]+)">Actual</.exec(markup);
  // Text is at most 13 high.
  t.true(Number(highest?.[1]) - Number(axis?.[1]) >= 13, markup);
});
