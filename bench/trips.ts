import pino from 'pino';
import { alternativesAnswer, type AlternativesQuery } from '../api/routes/alternatives.ts';
import { assessLegs, itineraryAnswer, itineraryOf } from '../api/routes/itinerary.ts';
import { assessNow, createAssess } from '../api/scoring/assess.ts';
import { resolveFlight, scorableDates } from '../api/scoring/flight-query.ts';
import type { Itinerary } from '../api/scoring/itinerary.ts';
import { assembleRows } from '../models/assemble.ts';
import { MODEL_CONTRACT } from '../models/features.ts';
import { openModel } from '../models/onnx/model.ts';
import { findModel } from '../pipelines/model/released-model.ts';
import { addDays } from '../warehouse/ground/dates.ts';
import { round } from '../warehouse/ground/numbers.ts';
import { openStore } from '../warehouse/store/open.ts';
import type { AirlineRoute, ScoreStore } from '../warehouse/store/types.ts';
import { buildSeedStore } from './constants/seed.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';

const TRIPS = 500;
const SEARCHES = 2_000;
/** Rounds before the measurement, in which Node optimises the code. */
const WARM_UP = 200;

const NOW = new Date('2026-11-23T12:00:00Z');
const DATE = addDays('2026-11-23', 27);

type Deps = Parameters<typeof assessLegs>[1];

/**
 * Measures two tasks on the bundled history with the bundled model: the computation of trips with two flights, and the
 * search for better flights. Both tasks run on the event loop, so their time is also the time for which other calls
 * wait.
 */
export async function benchTrips(log: (line: string) => void): Promise<BenchResult> {
  log('building the store of the bundled history');
  const store = openStore((await buildSeedStore()).store);
  const deps = { assess: await createAssessment(), liveInputs: () => ({}) };
  const random = randomFrom('trips');
  const services = [...store.airlineRoutes()].filter(({ carrier }) => store.airline(carrier));
  const draw = () => services[random.below(services.length)] as AirlineRoute;
  log('measuring trips');
  const beyond = measureTrips(store, deps, draw);
  log('measuring searches for better flights');
  const searches = measureSearches(store, deps, draw);
  const figures = {
    'trip of two flights, without the time of its scores': beyond,
    'better flights': searches,
  };
  return {
    part: 'trips',
    subject: `${beyond.length} trips and ${searches.length} searches on random airline-routes of the bundled history`,
    rows: Object.entries(figures).map(([what, times]) => ({
      what,
      'median, ms': median(times).toFixed(3),
      'p99, ms': percentile99(times).toFixed(3),
      'longest, ms': Math.max(...times).toFixed(3),
    })),
    targets: [
      {
        name: 'a trip without the time of its scores, median',
        measured: round(median(beyond), 3),
        atMost: 1,
        unit: 'ms',
      },
      {
        name: 'better flights, p99',
        measured: round(percentile99(searches), 3),
        atMost: 5,
        unit: 'ms',
      },
      {
        name: 'better flights, longest',
        measured: round(Math.max(...searches), 3),
        atMost: 20,
        unit: 'ms',
      },
    ],
  };
}

async function createAssessment() {
  const { model } = await findModel('');
  if (!model) throw new Error('the bundled model was refused');
  const opened = openModel(model.bytes, MODEL_CONTRACT);
  const log = pino({ level: 'silent' });
  return createAssess({ models: { modelFor: () => opened }, assemble: assembleRows, log });
}

/** Returns the duration of each trip's computation in ms, without the time for the scores of its two flights. */
function measureTrips(store: ScoreStore, deps: Deps, draw: () => AirlineRoute): number[] {
  const times: number[] = [];
  for (let trip = 0; trip < WARM_UP + TRIPS; trip++) {
    const itinerary = drawTrip(store, draw);
    const whole = timeMs(() => itineraryAnswer(itinerary, assessLegs(itinerary, deps)));
    const scores = timeMs(() => {
      for (const { flight } of itinerary.legs) assessNow(flight.query, store, deps);
    });
    if (trip >= WARM_UP) times.push(Math.max(0, whole - scores));
  }
  return times;
}

/**
 * Returns a trip: a morning flight, and an evening flight that departs from the airport where the morning flight
 * arrives.
 */
function drawTrip(store: ScoreStore, draw: () => AirlineRoute): Itinerary {
  for (;;) {
    const [first, second] = [draw(), draw()];
    const onward = store.airport(first.dest) && { ...second, origin: first.dest };
    if (!onward || onward.dest === onward.origin) continue;
    const legs = [`${nameOf(first)}-${DATE}T06:00`, `${nameOf(onward)}-${DATE}T21:30`];
    return itineraryOf({ legs, tickets: 'one' }, { whole: store, now: NOW });
  }
}

function nameOf({ origin, dest, carrier }: AirlineRoute): string {
  return `${origin}-${dest}-${carrier}`;
}

/** Returns the milliseconds of each search. Half of the flights have a departure time. */
function measureSearches(store: ScoreStore, deps: Deps, draw: () => AirlineRoute): number[] {
  const times: number[] = [];
  for (let search = 0; search < WARM_UP + SEARCHES; search++) {
    const { origin, dest, carrier } = draw();
    const params = { origin, dest, airline: carrier, date: DATE };
    const flight = resolveFlight(
      search % 2 === 0 ? params : { ...params, dep_time: '18:00' },
      store,
      NOW,
    );
    const dates = scorableDates(flight.origin, NOW);
    const query: AlternativesQuery = { store, flight, dates, limit: 100 };
    const time = timeMs(() => alternativesAnswer(query, deps));
    if (search >= WARM_UP) times.push(time);
  }
  return times;
}

function percentile99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

/**
 * Number of runs of the same work. Only the fastest run is used, because other programs on the machine can only make a
 * run slower.
 */
const RUNS = 5;

function timeMs(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
