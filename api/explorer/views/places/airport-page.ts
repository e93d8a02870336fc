import { airlinesCall, callBox, WORKED_OUT } from '../call-box.ts';
import { figure, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { partnersNote } from '../partners.ts';
import { airportAddress, routeAddress } from './addresses.ts';
import { busiestList } from './busiest-list.ts';
import { monthHours, usualHoursMap, weekdayHours } from './by-hour.ts';
import { placeAnswer } from './place-answer.ts';
import type { AirportData, Rated } from './places-data.ts';
import { ratedEnds } from './rated-ends.ts';
import { DOTS, ratedList } from './rated-list.ts';
import { recentBars } from './recent-bars.ts';
import { outOfHundred, timesAsOften } from './shares.ts';
import { comparedFact, recordEndsFact, recordFacts, type Fact } from './record-facts.ts';

/** An airport: its hours, months, routes and airlines. */
export const airportPage: Page<AirportData> = {
  path: '/airports/:airport',
  source: ({ params }) =>
    `/explorer/airport?${new URLSearchParams({ airport: params['airport'] ?? '' })}`,
  canonical: ({ airport }) => airportAddress(airport.iata),
  title: ({ airport }) => `${airport.city} ${airport.iata}: when flights are late`,
  summary: ({ airport, usual }) =>
    usual.departures
      ? `Of 100 departures from ${airport.city} ${outOfHundred(usual.departures.share)} are to be expected late or cancelled; by hour, month, route and airline.`
      : `No departures from ${airport.city} are on record.`,
  view,
};

function view(data: AirportData, frame: Frame) {
  const { airport, record, usual, recent } = data;
  const name = `${airport.city} ${airport.iata}`;
  return html`<h1>
      ${name}
      <small>${airport.name}, ${airport.country} · times of ${airport.time_zone}</small>
    </h1>
    ${placeAnswer({
      usual: usual.departures,
      whose: `departures from ${airport.iata}`,
      told: toldOf(data, frame),
      facts: factsOf(data, frame),
    })}
    <p class="tocall">
      <a href=${`/map?at=${airport.iata}`}>On the map</a>
      <a href="/airports">All airports compared</a>
    </p>
    <h2 class="aside">In pictures</h2>
    <div class="pictures">
      ${record.flights > 0 && usualHoursMap(data.usual_by_weekday, { by: 'weekday', whose: 'its departures' }, frame)}
      ${data.by_month && monthHours(data.by_month, 'Departures', frame)}
      ${data.by_weekday && weekdayHours(data.by_weekday, 'Departures', frame)}
      ${recentBars(recent, `Arrivals at ${airport.iata}`, frame)}
      ${ratedList(
        {
          id: 'airlines',
          title: 'Airlines, against each other',
          note: `${data.airlines.length > MOST ? `The ${MOST} with most flights of ${data.airlines.length}, against` : 'Against'} other airlines on the same routes from ${airport.iata}, in the same month and hours. ${DOTS}${partnersNote(mostFlown(data))}`,
          rated: mostFlown(data),
        },
        frame,
      )}
      ${ratedEnds({ id: 'routes', what: 'Routes', note: `Against flights of the same airlines that left ${airport.iata} for elsewhere in the same month and hours. ${DOTS}`, rated: data.rated_routes, all: data.compared_routes }, frame)}
    </div>
    ${busiestList(
      `Most flights from ${airport.iata}`,
      data.busiest.map(({ dest, city, flights, usual }) => ({
        codes: `${airport.iata} → ${dest}`,
        name: city,
        address: routeAddress(airport.iata, dest),
        flights,
        usual,
      })),
      frame,
    )}
    ${callBox(frame.site, callsOf(data), WORKED_OUT)}`;
}

function callsOf({ airport, busiest: [first] }: AirportData) {
  return airlinesCall(first && { origin: airport.iata, dest: first.dest });
}

/** As many as other lists have. */
const MOST = 10;

function mostFlown({ airlines }: AirportData): Rated[] {
  const shown = new Set(airlines.toSorted((a, b) => b.flights - a.flights).slice(0, MOST));
  return airlines.filter((one) => shown.has(one));
}

function toldOf({ airport, compared, network_share, late_share }: AirportData, { locale }: Frame) {
  const { departures, arrivals } = compared;
  return [
    departures &&
      `On record, flights from here came late ${timesAsOften(departures)} as flights of the same airlines to the same airports from elsewhere.`,
    arrivals &&
      `Flights to here came late ${timesAsOften(arrivals)} as flights of the same airlines from the same airports to elsewhere.`,
    late_share !== null &&
      !departures &&
      !arrivals &&
      `Too few flights of ${airport.iata} have flights like them to compare it fairly with other airports.`,
    late_share === null &&
      `Of all flights in the history ${percent(network_share, locale)} came late.`,
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
      'Arrivals to be expected late or cancelled',
      usual.arrivals ? percent(usual.arrivals.share, locale) : 'not known',
    ],
    comparedFact(compared.departures, 'departures', locale),
    recordEndsFact(data, locale),
  ];
}
