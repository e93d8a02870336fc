import { z } from 'zod';
import { HOURS, hourOfTime } from '../../../warehouse/ground/hours.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { Airport, ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { localDay } from '../../local-day.ts';
import { ageMin } from '../../presenters/include.ts';
import { scoreAnswer } from '../../routes/score.ts';
import { readParams, routeParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { resolveAirport, resolveFlight } from '../../scoring/flight-query.ts';
import { MAX_FLIGHTS, type Endpoint } from '../endpoint.ts';
import type { TodayData, TodayFlight, TodayHour } from '../views/today/today-data.ts';
import { chanceText } from '../views/chance-lines.ts';
import { memoizeLive } from './memoize-live.ts';
import { airportName, cityOf } from './place-names.ts';
import { inferredIn, operatorsOn } from './sold.ts';
import { scoreDepartures, type HourDeparture } from './today-departures.ts';

const todayParams = z.object({ airport: routeParams.shape.origin });

/** Minimum share of the day's departures. Hours with a smaller share are not shown. */
const MIN_SHOWN = 0.001;
/** Number of departures in the list of the highest risks. */
const MAX_RISKS = MAX_FLIGHTS;
/** Data of an airport's board for today: departures, weather, news and airport status. */
export const todayEndpoint: Endpoint<TodayData> = {
  path: '/explorer/today',
  restsOn: 'now',
  flights: () => MAX_RISKS,
  flightTexts,
  answer: async (query, deps): Promise<TodayData> => {
    const { airport: code } = readParams(query, todayParams);
    const whole = currentStore(deps.stores);
    const airport = resolveAirport('airport', code, whole);
    const { date } = localDay(airport.timeZone, deps.now());
    const time = clockFormat(airport.timeZone).format(deps.now());
    const hour = hourOfTime(time);
    const { busiest, ...board } = await memoizeLive(
      ['today', code, date, hour],
      { store: whole, deps },
      () => boardOf(airport, { date, hour }, { whole, deps }),
    );
    return {
      airport: { ...airportName(airport), time_zone: airport.timeZone },
      ...{ date, time },
      ...board,
      ...conditionsOf(busiest, date, { whole, deps }),
      ...eventsAt(airport, deps),
    };
  },
};

/**
 * Returns a text for each listed flight, and a last text for the averages of the hours. Because of the last text, a
 * board counts at least once, even if all its departures are over. A board with the maximum number of flights gets no
 * last text, so that no board counts more than `MAX_FLIGHTS`.
 */
function flightTexts({ airport, date, hours, risks }: TodayData): string[] {
  const figures = (one: { hour: number; score: number; share: number | null }) =>
    `${one.hour} ${one.score} ${one.share === null ? '' : chanceText(one.share, 'en')}`;
  const flights = risks.map((one) => `${one.dest} ${one.airline} ${figures(one)}`);
  const averages = hours.length === 0 ? [] : [`hours ${hours.map(figures).join(', ')}`];
  return [...flights, ...averages]
    .slice(0, MAX_FLIGHTS)
    .map((text) => `${airport.iata} ${date} ${text}`);
}

/** Scores the departures and returns the figures of the board. Only these figures are cached, not the departures. */
async function boardOf(
  airport: Airport,
  at: { date: string; hour: number },
  { whole, deps }: { whole: ScoreStore; deps: ApiDeps },
) {
  const departures = await scoreDepartures(airport, at.date, { whole, deps });
  const rest = departures.filter(({ hour }) => hour >= at.hour);
  const [busiest] = departures.toSorted((a, b) => b.flights - a.flights);
  return {
    answer: {
      busiest: busiest?.route,
      hours: hoursOf(departures),
      rest: rest.length === 0 ? null : meanOf(rest),
      risks: highestRisks(rest, whole),
    },
    hasEvents: departures.some(({ isAffected }) => isAffected),
  };
}

function hoursOf(departures: readonly HourDeparture[]): TodayHour[] {
  const all = sum(departures.map(({ flights }) => flights));
  const byHour = Map.groupBy(departures, ({ hour }) => hour);
  return HOURS.flatMap((hour) => {
    const own = byHour.get(hour);
    if (!own) return [];
    const flights = sum(own.map((one) => one.flights)) / all;
    return flights < MIN_SHOWN ? [] : [{ hour, flights: round(flights, 4), ...meanOf(own) }];
  });
}

/**
 * Returns averages over departures, weighted by flights. Departures without a share are left out of the average share.
 */
function meanOf(departures: readonly HourDeparture[]): { share: number | null; score: number } {
  const known = departures.flatMap(({ flights, share }) =>
    share === null ? [] : { flights, share },
  );
  const all = sum(departures.map(({ flights }) => flights));
  const knownFlights = sum(known.map(({ flights }) => flights));
  const late = sum(known.map(({ flights, share }) => flights * share));
  return {
    share: knownFlights < all / 2 ? null : round(late / knownFlights, 4),
    score: Math.round(sum(departures.map(({ flights, score }) => flights * score)) / all),
  };
}

function highestRisks(departures: readonly HourDeparture[], whole: ScoreStore): TodayFlight[] {
  const byShare = departures
    .filter(({ isListed }) => isListed)
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0) || b.score - a.score || a.hour - b.hour);
  const highest = new Map<string, HourDeparture>();
  for (const one of byShare) {
    const key = `${one.route.dest} ${one.route.carrier}`;
    if (highest.size < MAX_RISKS && !highest.has(key)) highest.set(key, one);
  }
  return [...highest.values()].map(({ route, store, hour, score, label, share }) => ({
    dest: route.dest,
    city: cityOf(route.dest, whole),
    airline: route.carrier,
    airline_name: store.airline(route.carrier)?.name ?? route.carrier,
    ...{ hour, score, label, share },
    operators: operatorsOn({ ...route, crsDepHour: hour }, store),
    inferred: inferredIn([route], store),
  }));
}

/** Returns the weather and the average flight, both from the answer for the busiest departure. */
function conditionsOf(
  busiest: Service | undefined,
  date: string,
  { whole, deps }: { whole: ScoreStore; deps: ApiDeps },
): Pick<TodayData, 'weather' | 'average'> {
  if (!busiest) return { weather: null, average: null };
  const { origin, dest, carrier: airline } = busiest;
  const flight = resolveFlight({ origin, dest, airline, date }, whole, deps.now());
  const include = ['lineage' as const, 'drivers' as const];
  const { weather_dep, lineage, drivers } = scoreAnswer({ flight, withNews: false, include }, deps);
  return {
    average: drivers?.average_share ?? null,
    weather: lineage ? { reading: weather_dep, ...lineage.weather_dep } : null,
  };
}

function eventsAt(airport: Airport, deps: ApiDeps): Pick<TodayData, 'status' | 'news'> {
  const { news, measures, statusAt } = deps.airportEvents(airport);
  return {
    status: {
      is_covered: airport.countryCode === 'US',
      age_min: ageMin(statusAt, deps.now()),
      measures: measures.map(({ kind, reason }) => ({ kind, reason })),
    },
    news: { age_min: ageMin(deps.newsAt(), deps.now()), items: news },
  };
}

function clockFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
}
