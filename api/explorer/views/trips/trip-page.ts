import type { ItineraryBody } from '../../../schemas/itinerary.ts';
import { callBox } from '../call-box.ts';
import { chanceText } from '../chance-lines.ts';
import { day, figure } from '../format.ts';
import { rowOfText, type FlightRow } from '../flight-rows.ts';
import { html } from '../html.ts';
import type { Card, Frame, Page } from '../page.ts';
import { shareBox } from '../share-box.ts';
import { tripQuery, type TripData } from './trip-data.ts';
import { arrivalBars } from './arrival-bars.ts';
import { tripLegs } from './trip-legs.ts';
import { tripForm } from './trip-form.ts';

/**
 * The page of a trip of two to four flights: missed connections, the weakest flight or connection, and the delay at the
 * end.
 */
export const tripPage: Page<TripData> = {
  path: '/trips',
  source: ({ query }) => `/explorer/trip${query.size === 0 ? '' : `?${query}`}`,
  canonical: (data) => `/trips${tripQuery(data)}`,
  title: (data) =>
    data.answer
      ? `${placesOf(data).join(' to ')}: will the connection hold?`
      : 'A trip with connections',
  summary: ({ answer }) =>
    answer?.outcome
      ? `${chanceText(answer.outcome.missed_connection, 'en-GB')} of such trips miss a connection.`
      : 'Enter two to four flights to see how likely a missed connection is.',
  card: cardOf,
  view,
};

/** Returns the preview image of the trip; undefined if the trip has fewer than two flights. */
function cardOf(data: TripData): Card | undefined {
  const { answer } = data;
  const [first] = answer?.legs ?? [];
  if (!answer || !first) return undefined;
  const texts = {
    title: placesOf(data).join(' to '),
    subtitle: `${answer.legs.length} flights, ${day(first.flight_date, 'en-GB')}`,
  };
  const { outcome } = answer;
  if (!outcome) return { ...texts, figure: '?', caption: 'only scores are known', note: '' };
  return {
    ...texts,
    figure: chanceText(outcome.missed_connection, 'en-GB'),
    caption: 'miss a connection',
    note: `${chanceText(outcome.as_booked, 'en-GB')} take all flights as booked`,
  };
}

function view(data: TripData, frame: Frame) {
  const { answer, settings } = data;
  return html`<h1>
      ${answer ? placesOf(data).join(' to ') : 'Will your connection hold?'}
      ${answer && html`<small>${`${answer.legs.length} flights, ${settings.tickets === 'one' ? 'one ticket' : 'separate tickets'}`}</small>`}
    </h1>
    ${
      answer
        ? answerOf(data, answer, frame)
        : html`<p class="lead">
            ${data.legs.length === 0 ? 'Enter two to four flights in order.' : 'Add the next flights of your trip, each with its departure time.'}
            ${' '}The answer is the probability of a missed connection, the weakest link, and the
            delay at the end.
          </p>`
    }
    ${tripForm(answer?.legs.map(rowOf) ?? data.legs.map(rowOfText), settings)}
    ${answer && callBox(frame.site, [{ title: 'This trip', path: `/api/itinerary${tripQuery(data)}` }])}`;
}

/** Lists the cities of the trip, in order. */
function placesOf({ answer, cities }: TripData): string[] {
  const legs = answer?.legs ?? [];
  const codes = [legs[0]?.origin ?? '', ...legs.map(({ destination }) => destination)];
  return codes.map((code) => cities[code] ?? code);
}

function answerOf(data: TripData, answer: ItineraryBody, frame: Frame) {
  const { outcome } = answer;
  return html`<section class="answer trip" aria-label="The answer">
      <div class="verdict">
        ${outcome ? outcomeLines(data, outcome, frame) : html`<p class="odds">${NO_OUTCOME}</p>`}
      </div>
      ${tripLegs(data, answer, frame)}
      ${
        outcome &&
        html`<h2 class="aside">In pictures</h2>
          ${arrivalBars(outcome, frame)}`
      }
    </section>
    ${shareBox(frame.site, tripPage.title(data))}`;
}

const NO_OUTCOME =
  'Only scores are known for this trip. A probability needs the model for every flight, and the model covers the American record only.';

function outcomeLines(
  data: TripData,
  { as_booked, missed_connection, not_arriving }: NonNullable<ItineraryBody['outcome']>,
  { locale }: Frame,
) {
  return html`<p class="chance">
      <b>${chanceText(missed_connection, locale)}</b>
      <span>
        <strong>miss a connection</strong>
        <span>${`${chanceText(as_booked, locale)} take all flights as booked, some late`}</span>
      </span>
    </p>
    <p class="odds">${weakestText(data, locale)}</p>
    <p class="advice">
      ${`If you miss a connection, we assume that you take the airline’s next flight that day. In all, ${chanceText(not_arriving, locale)} of trips do not arrive that day, because of a missed connection, a cancellation or a diversion.`}
    </p>`;
}

/** Names the flight or connection that is most likely to fail. */
function weakestText({ answer, cities }: TripData, locale: string): string {
  const { weakest, legs = [], connections = [] } = answer ?? {};
  if (!weakest) return '';
  const chance = chanceText(weakest.probability, locale);
  const at = weakest.position - 1;
  if (weakest.kind === 'connection') {
    const { airport = '', planned_min = 0, minimum_min = 0 } = connections[at] ?? {};
    return `Weakest link: the connection in ${cities[airport] ?? airport}. It is missed on ${chance} of trips. You have ${figure(planned_min, locale)} minutes and need ${figure(minimum_min, locale)}.`;
  }
  const { origin = '', destination = '' } = legs[at] ?? {};
  return `Weakest link: the flight from ${cities[origin] ?? origin} to ${cities[destination] ?? destination}. It is cancelled or diverted on ${chance} of trips.`;
}

function rowOf(leg: ItineraryBody['legs'][number]): FlightRow {
  return {
    ...{ origin: leg.origin, dest: leg.destination, airline: leg.airline },
    ...{ date: leg.flight_date, depTime: leg.dep_time },
    arrTime: leg.is_arrival_estimated ? undefined : leg.arr_time,
  };
}
