import { airlinesCall, callBox, WORKED_OUT } from '../call-box.ts';
import { figure } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { fliesFor, partnersNote } from '../partners.ts';
import { airlineAddress, routeAddress } from './addresses.ts';
import { comparedFact, recordEndsFact, recordFacts, type Fact } from './record-facts.ts';
import { busiestList } from './busiest-list.ts';
import { monthHours, usualHoursMap } from './by-hour.ts';
import { placeAnswer } from './place-answer.ts';
import type { AirlineData, Rated } from './places-data.ts';
import { ratedEnds } from './rated-ends.ts';
import { DOTS, ratedList } from './rated-list.ts';
import { recentBars } from './recent-bars.ts';
import { outOfHundred, timesAsOften } from './shares.ts';

/** An airline: its hours and months, and how it compares on its routes and at its airports. */
export const airlinePage: Page<AirlineData> = {
  path: '/airlines/:airline',
  source: ({ params }) =>
    `/explorer/airline?${new URLSearchParams({ airline: params['airline'] ?? '' })}`,
  canonical: ({ airline }) => airlineAddress(airline.iata),
  title: ({ airline }) => `${airline.name}: when flights are late`,
  summary: ({ airline, usual }) =>
    usual
      ? `Of 100 flights of ${airline.name} ${outOfHundred(usual.share)} are to be expected late or cancelled; by hour, month, airport and route, and against others on the same routes.`
      : `No flights of ${airline.name} are on record.`,
  view,
};

function view(data: AirlineData, frame: Frame) {
  const { airline, record, usual } = data;
  return html`<h1>
      ${airline.name}
      <small
        >${[airline.iata, airline.country, fliesFor(airline.iata)].filter(Boolean).join(' · ')}</small
      >
    </h1>
    ${placeAnswer({
      usual,
      whose: `flights of ${airline.name}`,
      told: toldOf(data),
      facts: factsOf(data, frame),
    })}
    <p class="tocall">
      ${record.flights > 0 && html`<a href=${`/map?airline=${airline.iata}`}>On the map</a>`}
      <a href="/airlines">All airlines compared</a>
    </p>
    <h2 class="aside">In pictures</h2>
    <div class="pictures">
      ${record.flights > 0 && usualHoursMap(data.usual_by_weekday, { by: 'weekday', whose: 'its flights' }, frame)}
      ${data.by_month && monthHours(data.by_month, 'Flights', frame)}
      ${ratedList(
        {
          id: 'rivals',
          title: 'Against the others on its routes',
          note: `The ${Math.min(NEAREST, data.rivals.length)} nearest of ${data.rivals.length} airlines, each against others on the same routes in the same month and hours. ${DOTS}${partnersNote(nearest(data))}`,
          rated: record.flights > 0 ? nearest(data) : [],
          own: airline.iata,
        },
        frame,
      )}
      ${recentBars(data.recent, `Flights of ${airline.name}`, frame)}
      ${ratedEnds({ id: 'routes', what: 'Routes', note: `Against other airlines on the very route, in the same month and hours. ${DOTS}`, rated: data.rated_routes, all: data.compared_routes }, frame)}
      ${ratedEnds({ id: 'airports', what: 'Airports of departure', note: `Against other airlines on the same routes from there, in the same month and hours. ${DOTS}`, rated: data.rated_airports, all: data.compared_airports }, frame)}
    </div>
    ${busiestList(
      `Most flights of ${airline.name}`,
      data.busiest.map(({ origin, dest, name, flights, usual }) => ({
        codes: `${origin} → ${dest}`,
        name,
        address: routeAddress(origin, dest),
        flights,
        usual,
      })),
      frame,
    )}
    ${callBox(frame.site, airlinesCall(data.busiest[0]), WORKED_OUT)}`;
}

/** As many as other lists have. */
const NEAREST = 10;

/** The airline amid those that compare most like it. */
function nearest({ rivals, airline }: AirlineData): Rated[] {
  const own = rivals.findIndex(({ code }) => code === airline.iata);
  const from = Math.max(0, Math.min(own - NEAREST / 2, rivals.length - NEAREST));
  return rivals.slice(from, from + NEAREST);
}

function toldOf({ compared, record }: AirlineData): string[] {
  if (record.flights === 0) return [];
  if (!compared) {
    return ['Nobody else flies its routes in its hours often enough to compare it fairly.'];
  }
  return [
    `On record its flights came late ${timesAsOften(compared)} as those of other airlines on the same routes, in the same month and hours.`,
  ];
}

function factsOf(data: AirlineData, { locale }: Frame): Fact[] {
  const { record, routes, compared } = data;
  if (record.flights === 0) return [['Flights on record', 'none']];
  return [
    ['Flights on record', `${figure(record.flights, locale)} on ${figure(routes, locale)} routes`],
    ...recordFacts(data, locale),
    comparedFact(compared, 'flights', locale),
    recordEndsFact(data, locale),
  ];
}
