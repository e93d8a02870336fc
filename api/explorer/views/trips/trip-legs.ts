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
          connection && connectionItem(connection, { cities, next: legs[at + 1] }, frame),
        ];
      })}
    </ol>
    ${notes.length > 0 && html`<p class="note">${notes.join(' ')}</p>`}
  </div>`;
}

const SHARE_NOTE =
  'The percentage beside a flight is its probability of being more than 30 minutes late or cancelled.';

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
      ${leg.lost !== null && html`<small>${`This flight is cancelled or diverted on ${chanceText(leg.lost, locale)} of trips`}</small>`}
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
  domestic: 'our assumption for domestic connections',
  to_abroad: 'our assumption for flights abroad',
  from_abroad: 'our assumption after flights from abroad',
  separate_tickets: 'our assumption for separate tickets',
  requested: 'as you entered',
};

function connectionItem(
  connection: Connection,
  { cities, next }: { cities: TripData['cities']; next: Leg | undefined },
  { locale }: Frame,
) {
  const { airport, planned_min, minimum_min, minimum_kind, missed } = connection;
  return html`<li class="change">
    <strong>${`Change in ${cities[airport] ?? airport}`}</strong>
    ${missed !== null && html`<span>${`${chanceText(missed, locale)} of trips miss this connection`}</span>`}
    <small>
      ${`You have ${figure(planned_min, locale)} minutes and need ${figure(minimum_min, locale)} (${MINIMUM_KINDS[minimum_kind] ?? minimum_kind}).`}
      ${` ${nextText(connection, next?.airline_name ?? 'the airline', locale)}`}
    </small>
  </li>`;
}

/** Describes the flight that a passenger takes after a missed connection. */
function nextText(
  { next_flight, next_dep_time }: Connection,
  airline: string,
  locale: string,
): string {
  if (next_flight === null) {
    return next_dep_time === null
      ? `No later flight of ${airline} is known for that day.`
      : `The schedule of ${airline} has no later flight that day. On most days of the record, a later flight departs ${hourSpan(next_dep_time, locale)}.`;
  }
  const { hour, dep_time, flight_number } = next_flight;
  const name = `If you miss it: the next flight of ${airline} that day`;
  return dep_time === null || flight_number === null
    ? `${name} usually departs ${hourSpan(hourToTime(hour), locale)}.`
    : `${name} is ${flight_number}, which usually departs at ${clock(dep_time, locale)}.`;
}

/** Formats an hour `HH:00` as `between 12:00 and 12:59`. */
function hourSpan(hour: string, locale: string): string {
  return `between ${clock(hour, locale)} and ${clock(`${hour.slice(0, 3)}59`, locale)}`;
}
