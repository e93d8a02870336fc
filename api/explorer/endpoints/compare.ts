import type { ParsedUrlQuery } from 'node:querystring';
import { hourOfTime, hourToTime } from '../../../warehouse/ground/hours.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { RequestError } from '../../errors.ts';
import { scoreAnswer } from '../../routes/score.ts';
import { MAX_FLIGHTS, splitFlight } from '../../schemas/flight-text.ts';
import { readParams } from '../../schemas/params.ts';
import { assessNow } from '../../scoring/assess.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { KnownFlight } from '../../scoring/flight-query.ts';
import type { Endpoint } from '../endpoint.ts';
import { flightText, type ComparedScore, type CompareData } from '../views/compare/compare-data.ts';
import type { Flight } from '../views/flight/address.ts';
import { flightOf } from '../views/flight/flight-data.ts';
import { betterFlights } from './better-flights.ts';
import { enteredFlight, type EnteredFlight } from './entered-flight.ts';
import { withoutNumber } from './numbered-flight.ts';
import { namingRow, readRows, resolveRow, rowNumbers } from './entered-rows.ts';

const PARTS = ['lineage', 'outlook', 'interval', 'drivers'] as const;

/**
 * Data of the comparison of one to four flights. The query contains the flights in the parameter `flights`, as in
 * `/api/score/batch`, or in the rows of a form.
 */
export const compareEndpoint: Endpoint = {
  path: '/explorer/compare',
  restsOn: 'now',
  flights: countFlights,
  answer: async (query, deps): Promise<CompareData> => {
    const flights: KnownFlight[] = [];
    const whole = currentStore(deps.stores);
    for (const [at, entered] of readFlights(query, whole).entries()) {
      flights.push((await resolveRow(at + 1, entered, { deps, whole })).flight);
    }
    const scores = flights.map(
      (flight) =>
        scoreAnswer({ flight, withNews: false, include: [...PARTS] }, deps) as ComparedScore,
    );
    return { flights: scores, suggestions: await suggest(flights, scores, deps) };
  },
};

/**
 * Splits the parameter `flights` into one text per flight. Returns undefined if the query has rows of a form instead.
 */
function textsOf({ flights }: ParsedUrlQuery): string[] | undefined {
  return typeof flights !== 'string' || flights === '' ? undefined : flights.split(',');
}

function countFlights(query: ParsedUrlQuery): number {
  return Math.min(textsOf(query)?.length ?? rowNumbers(query).length, MAX_FLIGHTS);
}

function readFlights(query: ParsedUrlQuery, whole: ScoreStore): EnteredFlight[] {
  const texts = textsOf(query);
  if (texts === undefined) return readRows(query, enteredFlight, whole);
  if (texts.length > MAX_FLIGHTS) {
    const text = `At most ${MAX_FLIGHTS} flights can be compared.`;
    throw new RequestError(400, 'invalid_parameter', text, { param: 'flights' });
  }
  return texts.map((text, at) => {
    const { times, flight, ...others } = splitFlight(text);
    const fields = { ...others, dep_time: times, ...(flight !== '' && { flight }) };
    return namingRow(at + 1, () => readParams(withoutNumber(fields, whole), enteredFlight));
  });
}

/** Returns the better options of the first flight that are not compared yet. */
async function suggest(
  flights: KnownFlight[],
  scores: ComparedScore[],
  deps: ApiDeps,
): Promise<CompareData['suggestions']> {
  const [first] = flights;
  if (!first || flights.length >= MAX_FLIGHTS) return [];
  const { store, query } = first;
  const { better } = await betterFlights(first, assessNow(query, store, deps), { store, deps });
  const compared = new Set(scores.map((score) => hourText(flightOf({ score }))));
  return better.filter((one) => !compared.has(hourText(one)));
}

/**
 * Formats a flight with its departure time rounded down to the full hour. Most better options depart at a full hour.
 * The option at 18:00 is therefore the same as the compared flight at 18:30.
 */
function hourText(flight: Flight): string {
  const { depTime } = flight;
  return flightText({ ...flight, depTime: depTime && hourToTime(hourOfTime(depTime)) });
}
