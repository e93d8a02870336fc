import { airlinesCall, callBox, WORKED_OUT } from '../call-box.ts';
import { distance, figure, hour as hourText, monthName } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { partnersNote } from '../partners.ts';
import { airlineAddress, airportAddress, routeAddress } from './addresses.ts';
import { countBars } from './count-bars.ts';
import { usualHoursMap } from './by-hour.ts';
import { placeAnswer } from './place-answer.ts';
import type { Rated, RouteData } from './places-data.ts';
import { DOTS, ratedList } from './rated-list.ts';
import { routeAirlines } from './route-airlines.ts';
import { outOfHundred, THIN, timesAsOften } from './shares.ts';
import { comparedFact, recordEndsFact, recordFacts, type Fact } from './record-facts.ts';

/** A route: its hours and months, and its airlines. */
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
      ? `Of 100 flights from ${origin.iata} to ${dest.iata} ${outOfHundred(usual.share)} are to be expected late or cancelled; by hour, weekday, month and airline.`
      : `No flights from ${origin.iata} to ${dest.iata} are on record.`,
  view,
};

function view(data: RouteData, frame: Frame) {
  const { origin, dest, usual, record } = data;
  const isFlown = record.flights > 0;
  return html`<h1>
      ${origin.city} to ${dest.city}
      <small>
        <a href=${airportAddress(origin.iata)}>${origin.iata}</a> to ${' '}
        <a href=${airportAddress(dest.iata)}>${dest.iata}</a
        >${`, ${distance(data.distance_km, frame.locale)}`}
      </small>
    </h1>
    ${placeAnswer({
      usual,
      whose: `flights from ${origin.iata} to ${dest.iata}`,
      told: toldOf(data),
      facts: factsOf(data, frame),
    })}
    <p class="tocall">
      <a href=${`/flights?${new URLSearchParams({ origin: origin.iata, dest: dest.iata })}`}>
        Score a flight on this route
      </a>
      ${data.has_return && html`<a href=${routeAddress(dest.iata, origin.iata)}>The way back</a>`}
    </p>
    ${routeAirlines(data, frame)}
    ${
      isFlown &&
      html`<div class="pictures">
        ${usualHoursMap(data.usual_by_weekday, { by: 'weekday', whose: 'its flights' }, frame)}
        ${usualHoursMap(data.usual_by_month, { by: 'month', whose: 'its flights' }, frame)}
        ${countBars(
          {
            id: 'record-hours',
            title: 'On record, by hour',
            note: BARS,
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
            note: BARS,
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
            title: 'Its airlines, against each other',
            note: `In the same month and hours on this very route. ${DOTS}${partnersNote(ratedOf(data))}`,
            rated: ratedOf(data),
            isAlone: true,
          },
          frame,
        )}
      </div>`
    }
    ${callBox(frame.site, airlinesCall({ origin: origin.iata, dest: dest.iata }), WORKED_OUT)}`;
}

const BARS = `Share more than 30 minutes late or cancelled, with where it lies in 90 of 100 cases; hollow with fewer than ${THIN} flights.`;

function ratedOf({ airlines }: RouteData): Rated[] {
  return airlines
    .flatMap(({ iata, name, usual, compared }) =>
      compared ? [{ ...compared, code: iata, name, usual, address: airlineAddress(iata) }] : [],
    )
    .toSorted((a, b) => a.ratio - b.ratio);
}

function toldOf({ origin, compared, record, airlines }: RouteData): string[] {
  if (record.flights === 0) {
    return [
      'A flight can be scored all the same; its score rests on the airports and the airline alone.',
    ];
  }
  return [
    compared
      ? `On record they came late ${timesAsOften(compared)} as flights of the same airlines from ${origin.iata} to elsewhere, in the same month and hours.`
      : `Too few flights of its ${airlines.length === 1 ? 'airline' : 'airlines'} from ${origin.iata} are like these to compare the route fairly.`,
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
