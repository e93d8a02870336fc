import { airlinesCall, callBox, DERIVED_NOTE } from '../call-box.ts';
import { figure, month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { inferredMark, inferredNote, inferredText } from '../inferred.ts';
import { fliesFor, partnerList } from '../operators.ts';
import { airlineAddress, routeAddress } from './addresses.ts';
import { comparedFact, recordEndsFact, recordFacts, type Fact } from './record-facts.ts';
import { busiestList } from './busiest-list.ts';
import { monthHours, usualHoursMap } from './by-hour.ts';
import { placeAnswer } from './place-answer.ts';
import type { AirlineData, ComparedItem } from './places-data.ts';
import { ratedEnds } from './rated-ends.ts';
import { DOTS_NOTE, ratedList } from './rated-list.ts';
import { recentBars } from './recent-bars.ts';
import { howOften, outOfHundred } from './shares.ts';

/** The page of an airline: its hours and months, and comparisons on its routes and at its airports. */
export const airlinePage: Page<AirlineData> = {
  path: '/airlines/:airline',
  source: ({ params }) =>
    `/explorer/airline?${new URLSearchParams({ airline: params['airline'] ?? '' })}`,
  canonical: ({ airline }) => airlineAddress(airline.iata),
  title: ({ airline, ended }) =>
    `${airline.name}: when flights ${ended === null ? 'are' : 'were'} late`,
  summary: ({ airline, usual, ended }) =>
    ended !== null
      ? `${airline.name} no longer flies. See its record by hour, month, airport and route.`
      : usual
        ? `Expect ${outOfHundred(usual.share)} flights of ${airline.name} to be late or cancelled. See hours, months, airports and routes.`
        : `No flights of ${airline.name} are on record.`,
  view,
};

function view(data: AirlineData, frame: Frame) {
  const { airline, record, usual } = data;
  return html`<h1>
      ${airline.name}
      <small
        >${[airline.iata, airline.country, fliesFor(data.sellers)].filter(Boolean).join(' · ')}
        ${' '}${inferredMark(data.inferred, frame.locale)}</small
      >
    </h1>
    ${placeAnswer(
      {
        usual,
        flightsName: `flights of ${airline.name}`,
        recordShare: data.late_share,
        noRiskText: endedText(data, frame.locale),
        paragraphs: paragraphsOf(data, frame),
        facts: factsOf(data, frame),
      },
      frame,
    )}
    <p class="tocall">
      ${record.flights > 0 && html`<a href=${`/map?airline=${airline.iata}`}>On the map</a>`}
      <a href="/airlines">All airlines compared</a>
    </p>
    <h2 class="aside">In pictures</h2>
    <div class="pictures">
      ${usual !== null && usualHoursMap(data.usual_by_weekday, { by: 'weekday', flightsName: 'flights' }, frame)}
      ${data.by_month && monthHours(data.by_month, 'Flights', frame)}
      ${ratedList(
        {
          id: 'rivals',
          title: 'Compared with others on its routes',
          note: `${data.rivals.length > MAX_RIVALS ? `The ranking has ${data.rivals.length} airlines. This list has this airline and its nearest neighbours. ` : ''}Each airline is compared with others on the same routes, in the same month and hours. ${DOTS_NOTE}${inferredNote(nearestRivals(data))}`,
          rated: record.flights > 0 ? nearestRivals(data) : [],
          own: airline.iata,
        },
        frame,
      )}
      <div class="stack short">
        ${partnerList(`Who operates the flights of ${airline.name}`, OPERATORS_NOTE, { partners: data.operators, locale: frame.locale })}
        ${partnerList(`Who sells the flights of ${airline.name}`, SELLERS_NOTE, { partners: data.sellers, locale: frame.locale })}
        ${recentBars(data.recent, `flights ${data.operators.length > 0 ? 'operated by' : 'of'} ${airline.name}`, frame)}
      </div>
      ${ratedEnds({ id: 'routes', itemsName: 'Routes', note: `Flights on each route, compared with those of other airlines in the same month and hours. ${DOTS_NOTE}${inferredNote(data.rated_routes)}`, rated: data.rated_routes, total: data.compared_routes }, frame)}
      ${ratedEnds({ id: 'airports', itemsName: 'Departure airports', note: `Flights from each airport, compared with those of other airlines on the same routes, in the same month and hours. ${DOTS_NOTE}${inferredNote(data.rated_airports)}`, rated: data.rated_airports, total: data.compared_airports }, frame)}
    </div>
    ${busiestList(
      `Busiest routes of ${airline.name}`,
      data.busiest.map(({ origin, dest, name, flights, usual, inferred }) => ({
        codes: `${origin} → ${dest}`,
        name,
        address: routeAddress(origin, dest),
        flights,
        usual,
        inferred,
      })),
      frame,
    )}
    ${callBox(frame.site, airlinesCall(data.busiest[0]), DERIVED_NOTE)}`;
}

/** Maximum number of airlines in the list. */
const MAX_RIVALS = 10;

/** Returns the airline and its neighbours in the ranking. */
function nearestRivals({ rivals, airline }: AirlineData): ComparedItem[] {
  const own = rivals.findIndex(({ code }) => code === airline.iata);
  const from = Math.max(0, Math.min(own - MAX_RIVALS / 2, rivals.length - MAX_RIVALS));
  return rivals.slice(from, from + MAX_RIVALS);
}

/** Explains that the airline no longer exists; undefined if the airline still exists. */
function endedText({ ended }: AirlineData, locale: string): string | undefined {
  if (ended === null) return undefined;
  return `This airline no longer flies. Its last flights on record were in ${month(ended, locale)}.`;
}

const OPERATORS_NOTE =
  'Airlines that operate the flights sold by this airline, with their share of the flights on record.';
const SELLERS_NOTE =
  'Share of the flights on record. A ticket names the airline that sells the flight; this page counts the flights that this airline operates.';

function paragraphsOf({ compared, record, inferred }: AirlineData, { locale }: Frame): string[] {
  if (record.flights === 0) return [];
  const remark = inferred ? [inferredText(inferred, locale)] : [];
  if (!compared) {
    return ['Too few other airlines share its routes and hours for a fair comparison.', ...remark];
  }
  return [
    `On record, its flights were late ${howOften(compared)} other airlines’ flights. Flights are compared only with flights on the same route, in the same month and at the same hours.`,
    ...remark,
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
