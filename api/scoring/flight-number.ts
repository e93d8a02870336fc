import type { NumberedLeg } from '../../warehouse/store/number-schedule.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { RequestError } from '../errors.ts';
import type { FlightParams } from '../schemas/score.ts';
import { airportsOfCode } from './city-pairs.ts';

/** A flight number in the schedule of a month. */
export type KnownNumber = {
  /** For example `AA4567`. */
  flightNumber: string;
  /** Month of the schedule, `YYYY-MM`. */
  scheduleMonth: string;
  /** Usual local time of arrival, `HH:MM`. */
  arrTime?: string | undefined;
};

/** A route with an airline and a departure time. A caller names them directly or by a flight number. */
export type NamedService = {
  origin: string;
  dest: string;
  airline: string;
  dep_time?: string | undefined;
  number?: KnownNumber;
};

type ServiceParams = Omit<FlightParams, 'date'>;

type DatedLeg = NumberedLeg & { month: string };

/**
 * Returns the route, airline and time in the parameters. A flight number is looked up in the newest schedules. Throws a
 * 404 if the number is unknown, and a 400 if the number has several legs.
 */
export function nameService(params: ServiceParams, whole: ScoreStore): NamedService {
  const { flight, origin = '', dest = '', airline = '', dep_time } = params;
  if (flight === undefined) return { origin, dest, airline, dep_time };
  const leg = chooseLeg(flight, params, whole);
  if (airline !== '' && airline !== airlineOf(flight) && airline !== leg.carrier) {
    throw new RequestError(
      400,
      'invalid_parameter',
      `airline is not needed with a flight number; if present, it must be ${airlineOf(flight)} for flight ${flight}.`,
      { param: 'airline' },
    );
  }
  return {
    origin: leg.origin,
    dest: leg.dest,
    airline: leg.carrier,
    dep_time: dep_time ?? leg.depTime,
    number: { flightNumber: flight, scheduleMonth: leg.month, arrTime: leg.arrTime },
  };
}

function airlineOf(flight: string): string {
  return flight.slice(0, 2);
}

function chooseLeg(flight: string, { origin, dest }: ServiceParams, whole: ScoreStore): DatedLeg {
  const legs = legsOf(flight, whole);
  if (legs.length === 0) throw unknownFlight(flight, whole);
  const isAt = (airport: string, code: string | undefined) =>
    code === undefined || airportsOfCode(code, whole).includes(airport);
  const chosen = legs.filter((leg) => isAt(leg.origin, origin) && isAt(leg.dest, dest));
  const [leg] = chosen;
  if (chosen.length === 1 && leg) return leg;
  throw chosen.length === 0 ? otherLegs(flight, legs) : ambiguousFlight(flight, chosen);
}

/** Maximum age of a schedule, in months before the newest schedule. Older schedules are ignored. */
const MAX_MONTHS_APART = 12;

/** Returns the legs of a flight number in the newest schedule of each provider, most frequent leg first. */
export function legsOf(flight: string, whole: ScoreStore): DatedLeg[] {
  const schedules = [whole, ...whole.parts]
    .flatMap(
      ({ flightNumbers }) => flightNumbers.find(airlineOf(flight), Number(flight.slice(2))) ?? [],
    )
    .toSorted((a, b) => (a.month < b.month ? 1 : -1));
  const newest = schedules[0]?.month ?? '';
  const dated = schedules
    .filter(({ month }) => monthNumber(newest) - monthNumber(month) <= MAX_MONTHS_APART)
    .flatMap(({ month, legs }) => legs.map((leg) => ({ ...leg, month })));
  const isFirst = (leg: DatedLeg, at: number) =>
    dated.findIndex((one) => one.origin === leg.origin && one.dest === leg.dest) === at;
  return dated.filter(isFirst).toSorted((a, b) => b.flightCount - a.flightCount);
}

/** Converts a month to a number. Consecutive months have consecutive numbers. */
function monthNumber(month: string): number {
  return 12 * Number(month.slice(0, 4)) + Number(month.slice(5, 7));
}

function unknownFlight(flight: string, whole: ScoreStore): RequestError {
  const numbered = [whole, ...whole.parts].filter(
    ({ flightNumbers }) => flightNumbers.newestMonth !== undefined,
  );
  const schedule_month = numbered
    .map(({ flightNumbers }) => flightNumbers.newestMonth ?? '')
    .toSorted()
    .at(-1);
  const problem =
    schedule_month === undefined
      ? 'The history of this service has no flight numbers yet.'
      : numbered.includes(whole)
        ? `Flight ${flight} is not in the schedules up to ${schedule_month}. Check the number.`
        : `Flight ${flight} is not in the schedules up to ${schedule_month}. They only have flights of ${placesOf(numbered)}; the numbers of other flights are unknown.`;
  return new RequestError(
    404,
    'unknown_flight',
    `${problem} You can send origin, dest and airline instead.`,
    { param: 'flight', facts: schedule_month === undefined ? {} : { schedule_month } },
  );
}

/** Names the sources of records: `Hong Kong International Airport, by DATA.GOV.HK`. */
function placesOf(records: readonly Pick<ScoreStore, 'manifest'>[]): string {
  return records.map(({ manifest: { title, provider } }) => title ?? provider).join(' and ');
}

function otherLegs(flight: string, legs: DatedLeg[]): RequestError {
  return new RequestError(
    404,
    'unknown_flight',
    `Flight ${flight} does not fly between these airports. It flies ${routesOf(legs)}.`,
    { param: 'flight', facts: factsOf(legs) },
  );
}

function ambiguousFlight(flight: string, legs: DatedLeg[]): RequestError {
  return new RequestError(
    400,
    'ambiguous_flight',
    `Flight ${flight} has ${legs.length} legs: ${routesOf(legs)}. To choose one, send origin or dest.`,
    { param: 'flight', facts: factsOf(legs) },
  );
}

function routesOf(legs: DatedLeg[]): string {
  return legs.map(({ origin, dest }) => `${origin}-${dest}`).join(', ');
}

function factsOf(legs: DatedLeg[]) {
  return {
    legs: legs.map(({ origin, dest, carrier, depTime }) => ({
      ...{ origin, destination: dest, airline: carrier, dep_time: depTime ?? null },
    })),
    ...(legs[0] && { schedule_month: legs[0].month }),
  };
}
