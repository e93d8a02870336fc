import { hourToTime } from '../../../../warehouse/ground/hours.ts';
import type { ItineraryBody } from '../../../schemas/itinerary.ts';
import { chanceText } from '../chance-lines.ts';
import { clock, day, figure } from '../format.ts';
import { alternativesAddress, flightAddress } from '../flight/address.ts';
import { html } from '../html.ts';
import { inferredLegend, inferredMark, toInferred } from '../inferred.ts';
import type { Frame } from '../page.ts';
import { riskChip } from '../risk-chip.ts';
import type { TripData } from './trip-data.ts';

type Leg = ItineraryBody['legs'][number];
type Connection = ItineraryBody['connections'][number];

/** The flights and connections in order, each with its risk, and the legend of the sign for inferred airlines. */
export function tripLegs(
  { cities, shares }: TripData,
  { legs, connections }: ItineraryBody,
  frame: Frame,
) {
  const notes = [
    ...(shares.some((share) => share !== null) ? [SHARE_NOTE] : []),
    inferredLegend(legs),
  ].filter((note) => note !== '');
  return html`<div class="route">
    <ol class="legs" aria-label="Flights and connections">
      ${legs.flatMap((leg, at) => {
        const connection = connections[at];
        return [
          flightItem(leg, shares[at] ?? null, frame),
          connection && connectionItem(connection, cities[connection.airport], frame),
        ];
      })}
    </ol>
    ${notes.length > 0 && html`<p class="note">${notes.join(' ')}</p>`}
  </div>`;
}

const SHARE_NOTE = 'Percentage of a flight: more than 30 minutes late, or cancelled.';

function flightItem(leg: Leg, share: number | null, { locale }: Frame) {
  const { origin, destination: dest, airline, flight_date: date, dep_time: depTime } = leg;
  const flight = { origin, dest, airline, date, depTime };
  const arrival = `${clock(leg.arr_time, locale)}${leg.is_arrival_estimated ? ' (estimated)' : ''}`;
  const arrDay = leg.arr_date === date ? '' : `, ${day(leg.arr_date, locale, 'short')}`;
  return html`<li class="leg">
    <div>
      <a href=${flightAddress(flight)}>${`${origin} to ${dest}`}</a>
      <small>${leg.airline_name} ${inferredMark(toInferred(leg.brand), locale)}</small>
      <small>
        ${`${day(date, locale, 'short')}, departs ${clock(depTime, locale)}, arrives ${arrival}${arrDay}`}
      </small>
      ${leg.lost !== null && html`<small>${`${chanceText(leg.lost, locale)} of trips end here, because the flight is cancelled or diverted`}</small>`}
      <small
        ><a
          href=${alternativesAddress(flight)}
          aria-label=${`Better options for ${origin} to ${dest}`}
          >Better options</a
        ></small
      >
    </div>
    ${riskChip({ score: leg.score, share }, locale)}
  </li>`;
}

const MINIMUM_KINDS: Record<string, string> = {
  domestic: 'our value for domestic connections',
  to_abroad: 'our value for flights abroad',
  from_abroad: 'our value after flights from abroad',
  separate_tickets: 'our value for separate tickets',
  requested: 'as you entered',
};

function connectionItem(connection: Connection, city: string | undefined, { locale }: Frame) {
  const { airport, planned_min, minimum_min, minimum_kind, missed } = connection;
  return html`<li class="change">
    <strong>${`Change in ${city ?? airport}`}</strong>
    ${missed !== null && html`<span>${`${chanceText(missed, locale)} of trips miss this connection`}</span>`}
    <small>
      ${`You have ${figure(planned_min, locale)} minutes and need ${figure(minimum_min, locale)} (${MINIMUM_KINDS[minimum_kind] ?? minimum_kind}).`}
      ${nextText(connection, locale)}
    </small>
  </li>`;
}

function nextText({ next_flight, next_dep_time }: Connection, locale: string): string {
  if (next_flight === null) {
    return next_dep_time === null
      ? ' No later flight of the airline is known for that day.'
      : ` The airline’s schedule has no later flight that day. On most days of the record, a later flight departs after ${clock(next_dep_time, locale)}.`;
  }
  const { hour, dep_time, flight_number } = next_flight;
  return dep_time === null || flight_number === null
    ? ` The airline’s next flight that day usually departs after ${clock(hourToTime(hour), locale)}.`
    : ` The airline’s next flight that day is ${flight_number}, which usually departs at ${clock(dep_time, locale)}.`;
}
