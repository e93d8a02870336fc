import { airlinesCall, callBox, DERIVED_NOTE } from '../call-box.ts';
import { flagImage } from '../flag.ts';
import { figure, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { inferredNote } from '../inferred.ts';
import { shareBox } from '../share-box.ts';
import { airportAddress, mapOfAirport, routeAddress, todayAddress } from './addresses.ts';
import { busiestList } from './busiest-list.ts';
import { monthHours, usualHoursMap, weekdayHours } from './by-hour.ts';
import { placeAnswer, placeCard } from './place-answer.ts';
import type { AirportData, ComparedItem } from './places-data.ts';
import { ratedEnds } from './rated-ends.ts';
import { DOTS_NOTE, ratedList } from './rated-list.ts';
import { recentBars } from './recent-bars.ts';
import { howOften, outOfHundred } from './shares.ts';
import { comparedFact, recordEndsFact, recordFacts, type Fact } from './record-facts.ts';

/** The page of an airport: its hours, months, routes and airlines. */
export const airportPage: Page<AirportData> = {
  path: '/airports/:airport',
  source: ({ params }) =>
    `/explorer/airport?${new URLSearchParams({ airport: params['airport'] ?? '' })}`,
  canonical: ({ airport }) => airportAddress(airport.iata),
  title: ({ airport }) => `${airport.city} ${airport.iata}: when flights are late`,
  summary: ({ airport, usual }) =>
    usual.departures
      ? `Expect ${outOfHundred(usual.departures.share)} departures from ${airport.city} to be late or cancelled. See hours, months, routes and airlines.`
      : `No departures from ${airport.city} are on record.`,
  card: ({ airport, usual }) =>
    placeCard(`${airport.city} ${airport.iata}`, airport.name, usual.departures),
  view,
};

function view(data: AirportData, frame: Frame) {
  const { airport, usual, recent } = data;
  const name = `${airport.city} ${airport.iata}`;
  return html`<h1>
      ${name}
      <small
        >${airport.name !== airport.city && `${airport.name}, `}${flagImage(airport.country_code)}
        ${` ${airport.country} · local times (${airport.time_zone.replaceAll('_', ' ')})`}</small
      >
    </h1>
    ${placeAnswer(
      {
        usual: usual.departures,
        flightsName: `departures from ${airport.iata}`,
        recordShare: data.late_share,
        paragraphs: paragraphsOf(data, frame),
        facts: factsOf(data, frame),
      },
      frame,
    )}
    <p class="tocall">
      <a href=${todayAddress(airport.iata)}>Today at ${airport.iata}</a>
      ${data.record.flights > 0 && html`<a href=${mapOfAirport(airport)}>On the map</a>`}
      <a href="/airports">All airports compared</a>
    </p>
    ${shareBox(frame.site, airportPage.title(data))}
    <h2 class="aside">In pictures</h2>
    <div class="pictures">
      ${usual.departures && usualHoursMap(data.usual_by_weekday, { by: 'weekday', flightsName: 'departures' }, frame)}
      ${data.by_month && monthHours(data.by_month, 'Departures', frame)}
      ${data.by_weekday && weekdayHours(data.by_weekday, 'Departures', frame)}
      ${recentBars(recent, `arrivals at ${airport.iata}`, frame)}
      ${ratedList(
        {
          id: 'airlines',
          title: 'Airlines compared',
          note: `${data.airlines.length > MAX_AIRLINES ? `The ${MAX_AIRLINES} busiest of ${data.airlines.length} airlines. Each is compared` : 'Each airline is compared'} with other airlines on the same routes from ${airport.iata}, in the same month and hours. ${DOTS_NOTE}${inferredNote(busiestAirlines(data))}`,
          rated: busiestAirlines(data),
        },
        frame,
      )}
      ${ratedEnds({ id: 'routes', itemsName: 'Routes', note: `Flights to each airport, compared with the same airlines’ other flights from ${airport.iata}, in the same month and hours. ${DOTS_NOTE}`, rated: data.rated_routes, total: data.compared_routes }, frame)}
    </div>
    ${busiestList(
      `Busiest routes from ${airport.iata}`,
      data.busiest.map(({ dest, city, flights, usual }) => ({
        codes: `${airport.iata} → ${dest}`,
        name: city,
        address: routeAddress(airport.iata, dest),
        flights,
        usual,
      })),
      frame,
    )}
    ${callBox(frame.site, callsOf(data), DERIVED_NOTE)}`;
}

function callsOf({ airport, busiest: [first] }: AirportData) {
  return airlinesCall(first && { origin: airport.iata, dest: first.dest });
}

/** Maximum number of airlines in the list. */
const MAX_AIRLINES = 10;

function busiestAirlines({ airlines }: AirportData): ComparedItem[] {
  const shown = new Set(airlines.toSorted((a, b) => b.flights - a.flights).slice(0, MAX_AIRLINES));
  return airlines.filter((one) => shown.has(one));
}

function paragraphsOf(
  { airport, compared, network_share, late_share }: AirportData,
  { locale }: Frame,
) {
  const { departures, arrivals } = compared;
  return [
    departures &&
      `On record, departures from ${airport.iata} were late ${howOften(departures)} departures from other airports (same airlines, same destinations).`,
    arrivals &&
      `Flights to ${airport.iata} were late ${howOften(arrivals)} flights to other airports (same airlines, same departure airports).`,
    late_share !== null &&
      !departures &&
      !arrivals &&
      `${airport.iata} has too few comparable flights for a fair comparison with other airports.`,
    late_share === null &&
      `For comparison: ${percent(network_share, locale)} of all flights in the history were late.`,
  ].filter((one) => typeof one === 'string');
}

function factsOf(data: AirportData, { locale }: Frame): Fact[] {
  const { record, usual, routes, compared } = data;
  if (record.flights === 0) return [['Departures on record', 'none']];
  return [
    [
      'Departures on record',
      `${figure(record.flights, locale)} on ${figure(routes, locale)} routes`,
    ],
    ...recordFacts(data, locale),
    [
      'Arrivals expected late or cancelled',
      usual.arrivals ? percent(usual.arrivals.share, locale) : 'unknown',
    ],
    comparedFact(compared.departures, 'departures', locale),
    recordEndsFact(data, locale),
  ];
}
