import { dangerOf } from '../../models/danger.ts';
import { topDriver } from '../../models/drivers.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment, ComponentKey, FlightQuery, LiveInputs } from '../../models/types.ts';
import { addDays } from '../../warehouse/ground/dates.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { AirlineRoute, ScoreStore } from '../../warehouse/store/types.ts';
import { table } from '../../jobs/cli/tables.ts';
import { randomFrom, type Random } from '../generate/random.ts';
import { buildSeedStore } from './seed.ts';

const FLIGHTS = 5_000;
const TODAY = '2026-11-23';
const DAYS_AHEAD = 330;

/** Share of flights that have a forecast (half), and share of flights that have an event in force (one in twenty). */
const [FORECAST_SHARE, EVENT_SHARE] = [0.5, 0.05];

/** Number of days at the airports of New York and Seattle-Portland, by weather risk; see docs/features.md. */
const WEATHER_DAYS = [
  { days: 582, from: 0, to: 0.07 },
  { days: 328, from: 0.07, to: 0.18 },
  { days: 326, from: 0.18, to: 0.36 },
  { days: 199, from: 0.36, to: 0.54 },
  { days: 157, from: 0.54, to: 0.72 },
  { days: 108, from: 0.72, to: 1 },
];

/** Severities of a closure, a cancellation and a disruption that a report names. */
const SEVERITIES = [0.9, 0.7, 0.5];

/**
 * Returns a table of the top drivers of random flights of the seed. The table has these figures for each factor: the
 * number of flights in which the factor is the top driver, in how many of these flights the factor raises the risk, its
 * mean points in these flights, and its mean points in all flights.
 */
export async function topDrivers(): Promise<string> {
  const store = openStore((await buildSeedStore()).store);
  const random = randomFrom('drivers');
  const services = [...store.airlineRoutes()];
  const assessments = Array.from({ length: FLIGHTS }, () => assessRandom(services, store, random));
  const leaders = Map.groupBy(assessments, (one) => topDriver(one)?.key ?? 'none');
  const pointsOf = (key: string, all: Assessment[]) =>
    sum(
      all.map(({ components }) =>
        Math.abs(components.find((one) => one.key === key)?.aboveAverage ?? 0),
      ),
    ) / Math.max(1, all.length);
  const rows = [...KEYS, 'none'].map((key) => {
    const led = leaders.get(key as ComponentKey) ?? [];
    const raised = led.filter((one) => (topDriver(one)?.points ?? 0) > 0).length;
    return [
      key,
      String(led.length),
      String(raised),
      pointsOf(key, led).toFixed(1),
      pointsOf(key, assessments).toFixed(1),
    ];
  });
  return table(['top driver', 'flights', 'raised', 'points where it leads', 'points of all'], rows);
}

const KEYS = ['delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk'];

function assessRandom(services: AirlineRoute[], store: ScoreStore, random: Random): Assessment {
  const { origin, dest, carrier } = services[random.below(services.length)]!;
  const flightDate = addDays(TODAY, random.below(DAYS_AHEAD));
  const hours = store.departureHours(origin, dest, carrier) ?? new Float32Array(24);
  const flown = Array.from(hours.keys()).filter((hour) => (hours[hour] as number) > 0);
  const crsDepHour = flown[random.below(Math.max(1, flown.length))];
  const query = {
    origin,
    dest,
    carrier,
    flightDate,
    ...(crsDepHour !== undefined && { crsDepHour }),
  };
  return assessFlight(query, store, randomInputs(query, random));
}

function randomInputs(query: FlightQuery, random: Random): LiveInputs {
  const forecast = random.next() < FORECAST_SHARE;
  const danger = random.next() < EVENT_SHARE ? randomDanger(query, random) : undefined;
  return {
    ...(forecast && { weatherDep: randomWeather(random), weatherArr: randomWeather(random) }),
    ...(danger && { danger }),
  };
}

function randomWeather(random: Random) {
  let rest = random.next() * sum(WEATHER_DAYS.map(({ days }) => days));
  const range = WEATHER_DAYS.find(({ days }) => (rest -= days) < 0) ?? WEATHER_DAYS[0]!;
  const score = range.from + random.next() * (range.to - range.from);
  return { score, condition: 'Random', basis: 'forecast' as const };
}

function randomDanger({ origin, dest, carrier, flightDate }: FlightQuery, random: Random) {
  const event = {
    eventType: 'general' as const,
    severity: SEVERITIES[random.below(SEVERITIES.length)]!,
    publishedAt: `${flightDate}T08:00:00.000Z`,
    touches: { airports: [origin], carriers: [], countries: [] },
    source: 'Random',
  };
  const flight = { origin, dest, carrier, flightDate, countries: [] };
  const now = new Date(`${flightDate}T12:00:00Z`);
  return dangerOf(flight, { events: [event], measures: [] }, () => undefined, now);
}
