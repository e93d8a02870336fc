import { z } from 'zod';
import type { Assessment, FlightQuery } from '../../../models/types.ts';
import { HOURS } from '../../../warehouse/ground/hours.ts';
import { monthAfter1970 } from '../../../warehouse/store/record-months.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { RequestError } from '../../errors.ts';
import { localDay } from '../../local-day.ts';
import { calendarBodyOf } from '../../presenters/calendar-body.ts';
import { includedPartsOf, scoreAtHour } from '../../presenters/include.ts';
import { calendarDay, daysOf } from '../../routes/calendar.ts';
import { scoreAnswer } from '../../routes/score.ts';
import { INCLUDES } from '../../schemas/include.ts';
import { airlineCode, calendarDate, localTime, readParams } from '../../schemas/params.ts';
import type { ScoreBody } from '../../schemas/score.ts';
import { assessNow } from '../../scoring/assess.ts';
import { currentStore } from '../../scoring/current-store.ts';
import {
  crsDepHourOf,
  knownFlight,
  scorableDates,
  type KnownFlight,
} from '../../scoring/flight-query.ts';
import { NEAR_DAYS } from '../views/flight/better.ts';
import { addDays } from '../../../warehouse/ground/dates.ts';
import type { FlightData, FullScore, Rival } from '../views/flight/flight-data.ts';
import { placesLike, plain } from '../views/places.ts';
import type { Endpoint } from '../endpoint.ts';
import { placesOf } from './place-list.ts';
import { placeName } from './place-names.ts';
import { routeAirlines, type RouteAirline } from './route-airlines.ts';
import { inTurns } from './turns.ts';
import { whileKnown } from './while-known.ts';

const spoken = z.string().max(60, 'is too long');

const flightQuestion = z.object({
  origin: spoken,
  dest: spoken,
  /** The airline; without one, the one preferred if it still flies the route, or else the one of those that flies it most. */
  airline: spoken.optional(),
  prefers: airlineCode.optional(),
  date: calendarDate.optional(),
  dep_time: localTime.optional(),
});

/** A flight with everything its page shows; airports may be named by city or name, the rest may be left open. */
export const flightEndpoint: Endpoint = {
  path: '/explorer/flight',
  restsOn: 'now',
  answer: async (query, deps): Promise<FlightData> => {
    const asked = readParams(query, flightQuestion);
    const store = currentStore(deps.stores);
    const [origin, dest] = [
      airportMeant('origin', asked.origin, store),
      airportMeant('dest', asked.dest, store),
    ];
    if (origin === dest) {
      const text = 'From and to are the same airport.';
      throw new RequestError(400, 'invalid_parameter', text, { param: 'dest' });
    }
    const route = () => routeAirlines(origin, dest, store);
    const from = store.airport(origin);
    const today = localDay(from?.timeZone ?? 'UTC', deps.now()).date;
    const { dep_time } = asked;
    const params = {
      origin,
      dest,
      airline:
        asked.airline === undefined
          ? airlineMeant({ origin, dest, preferred: asked.prefers }, route(), store)
          : airlineNamed(asked.airline, route, store),
      date: asked.date ?? addDays(today, USUAL_DAYS_AHEAD),
      ...(dep_time !== undefined && { dep_time }),
    };
    const flight = knownFlight(params, store, deps.now());
    const { score, ...figures } = await figuresOf(flight, { route, store, deps });
    const by_hour = await scoresByHour(flight, store, deps);
    const months = await monthsOf(flight, store, deps);
    const { last } = scorableDates(flight.origin, store, deps.now());
    return { score: { ...score, by_hour }, ...figures, months, today, last };
  },
};

/** Inside the horizon of forecasts, and soon enough to be of use. */
const USUAL_DAYS_AHEAD = 7;

/** The code of the airport that was named; what is no airport's name stays as it is, and is refused as such. */
function airportMeant(param: 'origin' | 'dest', text: string, store: ScoreStore): string {
  const code = text.trim().toUpperCase();
  if (store.airport(code)) return code;
  const [first] = placesLike(placesOf(store), text, 1);
  if (first) return first.iata;
  throw new RequestError(404, 'unknown_airport', 'We know no airport of that name or code.', {
    param,
  });
}

/** The airline of that code, or the first of that name, those that fly the route before others. */
function airlineNamed(text: string, route: () => RouteAirline[], store: ScoreStore): string {
  const code = text.trim().toUpperCase();
  if (store.airline(code)) return code;
  const words = plain(text);
  const flying = route().flatMap(({ carrier }) => store.airline(carrier) ?? []);
  const found = [...flying, ...store.airlines()].find(({ name }) => plain(name).startsWith(words));
  if (words !== '' && found) return found.iata;
  const message = 'We know no operating airline of that name or code.';
  throw new RequestError(404, 'unknown_airline', message, { param: 'airline' });
}

function airlineMeant(
  { origin, dest, preferred }: { origin: string; dest: string; preferred: string | undefined },
  route: RouteAirline[],
  store: ScoreStore,
): string {
  const current = route.filter(({ isCurrent }) => isCurrent);
  const fitting = current.find(({ carrier }) => carrier === preferred);
  const [busiest] = (current.length > 0 ? current : route).toSorted(
    (a, b) => b.flightCount - a.flightCount,
  );
  const meant = (fitting ?? busiest)?.carrier ?? preferred;
  if (meant !== undefined) return meant;
  throw new RequestError(
    404,
    'unknown_airline',
    `Our history holds no flight from ${placeName(origin, store)} to ${placeName(dest, store)}. Name the airline, and we say what little can be known.`,
    { param: 'airline' },
  );
}

type Settled = Omit<FlightData, 'score' | 'months' | 'today' | 'last'> & {
  assessment: Assessment;
  score: ScoreBody;
};

/** What `/api/score` answers with all there is to include but the 24 hours, and what stands beside it; only ages are of this moment. */
async function figuresOf(
  flight: KnownFlight,
  { route, store, deps }: { route: () => RouteAirline[]; store: ScoreStore; deps: ApiDeps },
) {
  const { origin, dest, carrier, flightDate } = flight.query;
  const question = ['flight', origin, dest, carrier, flightDate, flight.depTime];
  const settled = await whileKnown(question, { store, deps }, async () => {
    const airlines = route();
    const rivals = await rivalsOf(flight, airlines, { store, deps });
    const assessment = assessNow(flight.query, store, deps);
    const score = scoreAnswer({ store, flight, withNews: true, include: STANDING }, deps);
    const [known_now, hours] = [knownNow(flight, store), hoursOf(flight, store)];
    const answer: Settled = { assessment, score, rivals, known_now, hours };
    const fades = [carrier, ...airlines.map((one) => one.carrier)].some((one) =>
      isTouched({ ...flight.query, carrier: one }, store, deps),
    );
    return { answer, fades };
  });
  const { assessment, score, ...others } = settled;
  const ages = includedPartsOf(['lineage'], { flight, assessment, store }, deps);
  return { score: { ...score, ...ages } as Omit<FullScore, 'by_hour'>, ...others };
}

/** What tells no age; and the hours are the same for each hour asked for. */
const STANDING = INCLUDES.filter((part) => part !== 'by_hour' && part !== 'lineage');

/** Whether events in force have a part in the score of the flight. */
function isTouched(query: FlightQuery, store: ScoreStore, deps: ApiDeps): boolean {
  return deps.liveInputs(query, store).danger !== undefined;
}

async function scoresByHour(flight: KnownFlight, store: ScoreStore, deps: ApiDeps) {
  const { origin, dest, carrier, flightDate } = flight.query;
  const question = ['hours', origin, dest, carrier, flightDate];
  return whileKnown(question, { store, deps }, async () => ({
    answer: await inTurns(HOURS, (hour) => scoreAtHour(hour, { flight, store }, deps)),
    // Events are those of a day.
    fades: isTouched(flight.query, store, deps),
  }));
}

async function rivalsOf(
  { query }: KnownFlight,
  route: RouteAirline[],
  { store, deps }: { store: ScoreStore; deps: ApiDeps },
): Promise<Rival[]> {
  const rivals = await inTurns(route, ({ carrier, flightCount, record, isCurrent }): Rival => {
    const { score, label } = assessNow({ ...query, carrier }, store, deps);
    return {
      airline: carrier,
      airline_name: store.airline(carrier)?.name ?? carrier,
      score,
      label,
      total_flights: flightCount,
      record,
      is_current: isCurrent,
    };
  });
  return rivals.toSorted((a, b) => a.score - b.score || (a.airline < b.airline ? -1 : 1));
}

/** The month of the flight and the next, or the one before where the next lies beyond what can be asked for. */
async function monthsOf(flight: KnownFlight, store: ScoreStore, deps: ApiDeps) {
  const { origin, dest, airline, query, depTime } = flight;
  const dates = scorableDates(origin, store, deps.now());
  const own = query.flightDate.slice(0, 7);
  const [before, after] = [monthAfter(own, -1), monthAfter(own, 1)];
  // In the first days of a month those near it are of the month before.
  const looksBack =
    Number(query.flightDate.slice(8)) <= NEAR_DAYS &&
    localDay(origin.timeZone, deps.now()).date.slice(0, 7) < own;
  const pair = looksBack || after > dates.last.slice(0, 7) ? [before, own] : [own, after];
  const service = { origin, dest, airline };
  const { carrier, crsDepHour } = query;
  const asked = { store, service, crsDepHour: crsDepHourOf(depTime), dates };
  const fitting = pair.filter((month) => month >= dates.first.slice(0, 7));
  return Array.fromAsync(fitting, async (month) => {
    const question = ['month', query.origin, query.dest, carrier, crsDepHour, month];
    return whileKnown(question, { store, deps }, async () => {
      const days = await inTurns(daysOf(month), (date) => calendarDay(date, asked, deps));
      return {
        answer: calendarBodyOf(service, month, days),
        fades: days.some(({ assessment }) => assessment?.danger !== undefined),
      };
    });
  });
}

function monthAfter(month: string, by: number): string {
  const [year, ofYear] = month.split('-').map(Number) as [number, number];
  return monthAfter1970(12 * (year - 1970) + ofYear - 1 + by);
}

/** Which of the flight's airline and airports the delay-cause table tells of. */
function knownNow({ origin, dest, airline }: KnownFlight, store: ScoreStore): string[] {
  const all = [
    { name: airline.name, recent: store.recentMonths('carrier', airline.iata) },
    { name: origin.iata, recent: store.recentMonths('dest', origin.iata) },
    { name: dest.iata, recent: store.recentMonths('dest', dest.iata) },
  ];
  return all.flatMap(({ name, recent }) => (recent.length > 0 ? [name] : []));
}

function hoursOf({ query }: KnownFlight, store: ScoreStore): number[] | null {
  const flights = store.departureHours(query.origin, query.dest, query.carrier);
  const all = flights?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (!flights || all === 0) return null;
  return Array.from(flights, (count) => Math.round((1e4 * count) / all) / 1e4);
}
