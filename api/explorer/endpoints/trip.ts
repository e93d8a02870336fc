import type { ParsedUrlQuery } from 'node:querystring';
import type { Assessment } from '../../../models/types.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { RequestError } from '../../errors.ts';
import { assessLegs, itineraryAnswer, itineraryOf } from '../../routes/itinerary.ts';
import { MAX_FLIGHTS, splitFlight } from '../../schemas/flight-text.ts';
import { itineraryParams, type ItineraryBody } from '../../schemas/itinerary.ts';
import { localTime, readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { flightText } from '../views/compare/compare-data.ts';
import type { TripData } from '../views/trips/trip-data.ts';
import { enteredFlight } from './entered-flight.ts';
import { readRows, resolveRow, rowNumbers } from './entered-rows.ts';
import { withoutNumber } from './numbered-flight.ts';
import { cityOf } from './place-names.ts';
import { shareOf } from './today-departures.ts';

/**
 * Data of a trip of two to four flights. The flights are in `legs`, as in `/api/itinerary`, or in the rows of a form.
 */
export const tripEndpoint: Endpoint = {
  path: '/explorer/trip',
  restsOn: 'now',
  flights: countLegs,
  answer: async (query, deps): Promise<TripData> => {
    const whole = currentStore(deps.stores);
    const entered = await legsOf(query, { deps, whole });
    const { tickets, mct } = readParams({ ...query, legs: SOME_LEGS }, itineraryParams);
    const settings = { tickets, mct: mct ?? null };
    if (entered.length < 2) {
      return { settings, legs: entered, answer: null, shares: [], cities: {} };
    }
    const { legs: checked } = readParams({ legs: entered.join(',') }, itineraryParams);
    const itinerary = itineraryOf({ legs: checked, tickets, mct }, { whole, now: deps.now() });
    const assessments = assessLegs(itinerary, deps);
    const answer = itineraryAnswer(itinerary, assessments);
    const shares = itinerary.legs.map(({ flight }, at) =>
      shareOf({ ...flight, assessment: assessments[at] as Assessment }),
    );
    const codes = answer.legs.flatMap(({ origin, destination }) => [origin, destination]);
    const cities = Object.fromEntries(codes.map((code) => [code, cityOf(code, whole)]));
    return { settings, legs: answer.legs.map(legText), answer, shares, cities };
  },
};

function countLegs(query: ParsedUrlQuery): number {
  return Math.min(textOf(query)?.split(',').length ?? rowNumbers(query).length, MAX_FLIGHTS);
}

/** Returns the legs in the address; undefined if the query has rows of a form instead. */
function textOf({ legs }: ParsedUrlQuery): string | undefined {
  return typeof legs === 'string' && legs !== '' ? legs : undefined;
}

/** Placeholder for the legs while the other parameters are checked. */
const SOME_LEGS = ',';

const tripRow = enteredFlight.extend({ arr_time: localTime.optional() });

/** Returns the legs in the address, or the legs in the rows of a form. Empty if the address has neither. */
async function legsOf(
  query: ParsedUrlQuery,
  { deps, whole }: { deps: ApiDeps; whole: ScoreStore },
): Promise<string[]> {
  const legs = textOf(query);
  if (legs?.includes(',')) return legs.split(',');
  const rows =
    legs === undefined
      ? readRows(query, tripRow, whole)
      : [readParams(withoutNumber(fieldsOf(legs), whole), tripRow)];
  const texts: string[] = [];
  for (const [at, { arr_time, ...row }] of rows.entries()) {
    const { flight } = await resolveRow(at + 1, row, { deps, whole });
    const { origin, dest, carrier: airline, flightDate: date } = flight.query;
    const depTime = row.dep_time;
    if (depTime === undefined && rows.length > 1) throw missingTime(at + 1);
    const leg = flightText({ origin, dest, airline, date, depTime });
    texts.push(depTime === undefined || arr_time === undefined ? leg : `${leg}-${arr_time}`);
  }
  return texts;
}

/** Splits a leg into the fields of the form's first row. */
function fieldsOf(leg: string) {
  const { times, flight, ...others } = splitFlight(leg);
  const [dep_time, ...arrival] = times.split('-');
  return { ...others, dep_time, arr_time: arrival.join('-'), ...(flight !== '' && { flight }) };
}

function missingTime(number: number): RequestError {
  const text = `Flight ${number}: enter the time of departure.`;
  return new RequestError(400, 'missing_parameter', text, { param: `dep_time${number}` });
}

/** Formats a leg as in the parameter `legs`. */
function legText(leg: ItineraryBody['legs'][number]): string {
  const { origin, destination: dest, airline, flight_date: date, dep_time: depTime } = leg;
  const text = flightText({ origin, dest, airline, date, depTime });
  return leg.is_arrival_estimated ? text : `${text}-${leg.arr_time}`;
}
