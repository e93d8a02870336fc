import { airlinesCall, callBox, DERIVED_NOTE } from '../call-box.ts';
import { distance, figure, hour as hourText, monthName } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { inferredNote } from '../inferred.ts';
import { shareBox } from '../share-box.ts';
import { airlineAddress, airportAddress, routeAddress } from './addresses.ts';
import { countBars } from './count-bars.ts';
import { usualHoursMap } from './by-hour.ts';
import { placeAnswer, placeCard } from './place-answer.ts';
import type { ComparedItem, RouteData } from './places-data.ts';
import { DOTS_NOTE, ratedList } from './rated-list.ts';
import { routeAirlines } from './route-airlines.ts';
import { howOften, outOfHundred, MIN_FLIGHTS } from './shares.ts';
import { comparedFact, recordEndsFact, recordFacts, type Fact } from './record-facts.ts';

/** The page of a route: its hours, months and airlines. */
export const routePage: Page<RouteData> = {
  path: '/routes/:route',
  source: ({ params }) => {
    const [origin = '', dest = ''] = (params['route'] ?? '').split('-');
    return `/explorer/route?${new URLSearchParams({ origin, dest })}`;
  },
  canonical: ({ origin, dest }) => routeAddress(origin.iata, dest.iata),
  title: ({ origin, dest }) => `${origin.city} to ${dest.city}: when flights are late`,
  summary: ({ origin, dest, usual }) =>
    usual
      ? `Expect ${outOfHundred(usual.share)} flights from ${origin.iata} to ${dest.iata} to be late or cancelled. See hours, months and airlines.`
      : `No flights from ${origin.iata} to ${dest.iata} are on record.`,
  card: ({ origin, dest, usual }) =>
    placeCard(`${origin.city} to ${dest.city}`, `${origin.iata} to ${dest.iata}`, usual),
  view,
};

function view(data: RouteData, frame: Frame) {
  const { origin, dest, usual, record } = data;
  // With fewer flights, most hours and months would be empty.
  const isFlown = record.flights >= MIN_FLIGHTS;
  return html`<h1>
      ${origin.city} to ${dest.city}
      <small>
        <a href=${airportAddress(origin.iata)}>${origin.iata}</a> to ${' '}
        <a href=${airportAddress(dest.iata)}>${dest.iata}</a
        >${`, ${distance(data.distance_km, frame.locale)}`}
      </small>
    </h1>
    ${placeAnswer(
      {
        usual,
        flightsName: `flights from ${origin.iata} to ${dest.iata}`,
        recordShare: data.late_share,
        paragraphs: paragraphsOf(data),
        facts: factsOf(data, frame),
      },
      frame,
    )}
    <p class="tocall">
      <a href=${`/flights?${new URLSearchParams({ origin: origin.iata, dest: dest.iata })}`}>
        Score a flight on this route
      </a>
      ${data.has_return && html`<a href=${routeAddress(dest.iata, origin.iata)}>Return route</a>`}
    </p>
    ${shareBox(frame.site, routePage.title(data))} ${routeAirlines(data, frame)}
    ${
      isFlown &&
      html`<div class="pictures">
        ${usual && usualHoursMap(data.usual_by_weekday, { by: 'weekday', flightsName: 'flights' }, frame)}
        ${usual && usualHoursMap(data.usual_by_month, { by: 'month', flightsName: 'flights' }, frame)}
        ${countBars(
          {
            id: 'record-hours',
            title: 'On record, by hour',
            note: BARS_NOTE,
            slots: data.by_hour.map((counted, hour) => ({
              name: hourText(hour, frame.locale),
              full: hourText(hour, frame.locale),
              counted,
            })),
            every: 6,
          },
          frame,
        )}
        ${countBars(
          {
            id: 'record-months',
            title: 'On record, by month',
            note: BARS_NOTE,
            slots: data.by_month.map((counted, at) => ({
              ...monthName(at, frame.locale),
              counted,
            })),
            every: 3,
          },
          frame,
        )}
        ${ratedList(
          {
            id: 'airlines',
            title: 'Airlines compared',
            note: `The airlines of this route, compared with each other in the same month and hours. ${DOTS_NOTE}${inferredNote(comparedAirlines(data))}`,
            rated: comparedAirlines(data),
            isAlone: true,
          },
          frame,
        )}
      </div>`
    }
    ${callBox(frame.site, airlinesCall({ origin: origin.iata, dest: dest.iata }), DERIVED_NOTE)}`;
}

const BARS_NOTE = `Share of flights more than 30 minutes late or cancelled. Lines show 90% intervals. Hollow bars: fewer than ${MIN_FLIGHTS} flights, too few for an interval.`;

function comparedAirlines({ airlines }: RouteData): ComparedItem[] {
  return airlines
    .flatMap(({ iata, name, usual, compared, inferred }) =>
      compared
        ? [{ ...compared, code: iata, name, usual, inferred, address: airlineAddress(iata) }]
        : [],
    )
    .toSorted((a, b) => a.ratio - b.ratio);
}

function paragraphsOf({ origin, compared, record, airlines }: RouteData): string[] {
  if (record.flights === 0) {
    return ['You can still score a flight. The score then uses the airports and the airline only.'];
  }
  return [
    compared
      ? `On record, flights on this route were late ${howOften(compared)} other flights of the same airlines from ${origin.iata}. Flights are compared only with flights in the same month and at the same hours.`
      : `${airlines.length === 1 ? 'The airline of this route has' : 'The airlines of this route have'} too few other flights from ${origin.iata} for a fair comparison.`,
  ];
}

function factsOf(data: RouteData, { locale }: Frame): Fact[] {
  const { record, compared } = data;
  if (record.flights === 0) return [['Flights on record', 'none']];
  return [
    ['Flights on record', figure(record.flights, locale)],
    ...recordFacts(data, locale),
    comparedFact(compared, 'flights', locale),
    recordEndsFact(data, locale),
  ];
}
