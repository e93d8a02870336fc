import { closestMatch } from 'leven';
import { RequestError } from '../errors.ts';
import { redact } from '../redact.ts';

/** An unknown parameter counts as a misspelling if at most this many letters differ from a known parameter. */
const MAX_EDITS = 2;

/**
 * All parameters of the API. If an endpoint does not have one of these parameters, it ignores the parameter and does
 * not treat it as a misspelling.
 */
export const ALL_PARAMS = [
  ...['origin', 'dest', 'airline', 'date', 'dep_time', 'news', 'include', 'payout'],
  ...[
    'flight',
    'flights',
    'month',
    'months',
    'year',
    'refresh',
    'name',
    'email',
    'monthly_limit',
    'limit',
    'cursor',
    'api_key',
  ],
  ...['kind', 'outcome', 'horizon', 'provider', 'by', 'format'],
  ...['signed', 'legs', 'tickets', 'mct', 'url', 'points', 'band'],
  ...['inbound_delay', 'inbound_delays'],
];

/**
 * Names that other services use for our parameters. Calls with these names are refused. If the API ignored the names,
 * it would answer a different question.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  origin: ['from', 'departure_airport', 'dep_airport', 'source'],
  dest: ['to', 'destination', 'arrival_airport', 'arr_airport'],
  airline: ['carrier', 'airline_code', 'operator'],
  date: ['flight_date', 'departure_date', 'dep_date', 'travel_date'],
  dep_time: ['departure_time', 'departure', 'time', 'hour', 'dep_hour', 'departure_hour'],
  include: ['includes', 'expand', 'fields'],
  flight: ['flight_number', 'flight_no', 'flightnumber', 'flights'],
  flights: ['flight'],
  month: ['months'],
  inbound_delay: ['inbound_delays'],
  inbound_delays: ['inbound_delay'],
  legs: ['flights', 'segments', 'itinerary'],
  mct: ['min_connection', 'minimum_connection', 'connection_time', 'connection'],
};

/** Limits of the header `X-Ignored-Parameters`: the number of names, and the number of characters of each name. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;

/**
 * Returns the parameters that the endpoint does not know, in the order of the request. Throws a 400 with a suggestion
 * if a parameter is misspelled, or if it is the name that other services use.
 */
export function listUnknownParams(names: readonly string[], known: ReadonlySet<string>): string[] {
  const unknown = names.filter((name) => !known.has(name));
  for (const name of unknown) {
    const suggestion = suggestParam(name, [...known]);
    if (suggestion === undefined) continue;
    const param = printableName(name);
    const text = `${param} is not a parameter of this endpoint. Did you mean ${suggestion}?`;
    throw new RequestError(400, 'invalid_parameter', text, { param });
  }
  return unknown;
}

/** Formats names for the header: ASCII only, separated by commas. */
export function ignoredParamsHeader(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMES).map(printableName);
  return [...listed, ...(names.length > MAX_NAMES ? ['...'] : [])].join(', ');
}

function suggestParam(name: string, known: readonly string[]): string | undefined {
  const word = name.toLowerCase().replaceAll('-', '_');
  const synonym = known.find((one) => SYNONYMS[one]?.includes(word));
  if (synonym !== undefined || ALL_PARAMS.includes(name)) return synonym;
  return closestMatch(word, known, { maxDistance: MAX_EDITS });
}

/**
 * Makes a name safe for a header. A name may contain any character, such as a line break. It may also be a mistyped API
 * key.
 */
function printableName(name: string): string {
  const text = redact(name);
  const short = text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}...` : text;
  return encodeURIComponent(short.toWellFormed());
}
