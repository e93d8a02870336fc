import test from 'ava';
import { buildRecommendation } from '../../models/recommendation.ts';
import fc from 'fast-check';
import { assessFlight } from '../../models/score.ts';
import type { DayWeather, FlightQuery, LiveInputs } from '../../models/types.ts';
import marksFile from '../../models/score-marks.json' with { type: 'json' };
import { TYPICAL_RISK } from '../../models/weather-risk.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, effectTable, someStats } from '../helpers/store.ts';

const JFK_LAX_DL: FlightQuery = {
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'DL',
  flightDate: '2026-12-22',
};

const { marks } = marksFile;
const rate = fc.double({ min: 0.001, max: 0.9, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('an airline with history on the route is scored from its own record', (t) => {
  const { tier, stats } = assessFlight(JFK_LAX_DL, aStore(), {});
  t.is(tier, 'exact');
  t.is(stats.delayedCount, 98);
});

test('an airline new to the route is scored from the route', (t) => {
  const assessment = assessFlight({ ...JFK_LAX_DL, carrier: 'NZ' }, aStore(), {});
  t.is(assessment.tier, 'route_any_airline');
  t.is(assessment.stats.flightCount, 3000);
  t.regex(buildRecommendation(assessment), /based on other airlines/);
});

test('an airline new to the route is as much worse than the route as it is elsewhere', (t) => {
  const odds = (rate: number) => rate / (1 - rate);
  const store = {
    ...aStore(),
    groupRates: () => ({ delayedRate: 0.24, cancelledRate: 0.017 }),
  };
  const { stats } = assessFlight({ ...JFK_LAX_DL, carrier: 'NZ' }, store, {});
  const route = store.route('JFK', 'LAX')?.delayedRate ?? 0;
  const expected = (odds(route) * odds(0.24)) / odds(store.network.delayedRate);
  t.true(Math.abs(odds(stats.delayedRate) - expected) < 1e-9);
  t.is(stats.delayedCount, 196);
});

test('unknown congestion is in the middle of the scale', (t) => {
  const store = {
    ...aStore(),
    congestion: () => undefined,
    congestionByHour: () => undefined,
  };
  const { congestionDep, congestionArr } = assessFlight(JFK_LAX_DL, store, {});
  t.deepEqual([congestionDep, congestionArr], [0.5, 0.5]);
});

test('a route without history is scored from its airports and airline, and the recommendation says that it has no record', (t) => {
  const store = aStore();
  const groupRates = { origin: 0.2, dest: 0.12, carrier: 0.12 };
  const result = assessFlight(
    { ...JFK_LAX_DL, dest: 'AKL' },
    {
      ...store,
      groupRates: (kind) => ({ delayedRate: groupRates[kind], cancelledRate: 0.017 }),
    },
    { mlProbability: 0.9 },
  );
  t.is(result.tier, 'no_data');
  t.is(result.confidence, 0);
  t.is(result.stats.flightCount, 0);
  t.true(Math.abs(result.stats.delayedRate - 0.2) < 1e-9);
  t.true(Math.abs(result.stats.cancelledRate - 0.017) < 1e-9);
  t.is(buildRecommendation(result), 'No delay record for this flight.');
  t.is(result.scoreMl, undefined);
  t.is(result.mlProbability, undefined);
});

test('without a model the score is the statistical score', (t) => {
  const { score, scoreLinear, scoreMl } = assessFlight(JFK_LAX_DL, aStore(), {});
  t.is(score, scoreLinear);
  t.is(scoreMl, undefined);
});

test('unknown weather has the risk of a typical day and the condition Unavailable', (t) => {
  const { weatherDep, weatherArr, components } = assessFlight(JFK_LAX_DL, aStore(), {});
  t.deepEqual(weatherDep, { score: TYPICAL_RISK, condition: 'Unavailable', basis: 'none' });
  t.deepEqual(weatherArr, weatherDep);
  t.is(components.find(({ key }) => key === 'weather')?.value, TYPICAL_RISK);
});

test('the worse weather of the two airports counts', (t) => {
  const storm: DayWeather = { score: 0.9, condition: 'Thunderstorm', basis: 'forecast' };
  const clear: DayWeather = { score: 0.1, condition: 'Clear', basis: 'forecast' };
  const weather = (live: LiveInputs) =>
    assessFlight(JFK_LAX_DL, aStore(), live).components.find(({ key }) => key === 'weather')?.value;
  t.is(weather({ weatherDep: storm, weatherArr: clear }), 0.9);
  t.is(weather({ weatherDep: clear, weatherArr: storm }), 0.9);
});

test('the season is month, weekday and the mean effect of the holidays at both ends', (t) => {
  const lookups: string[] = [];
  const store = {
    ...aStore(),
    // The calendar covers enough years to give weekdays their full weight.
    network: { ...aStore().network, calendarDays: 1e12 },
    monthOdds: (month: number) => (month === 12 ? 1.2 : 1),
    // 22 December 2026 is a Tuesday.
    weekdayOdds: (weekday: number) => (weekday === 2 ? 0.9 : 1),
    holidayDay: (country: string, date: string) => {
      lookups.push(`${country} ${date}`);
      return country === 'NZ' ? { logOdds: Math.log(1.21) } : undefined;
    },
    route: () => someStats(),
  };
  const seasonality = (query: FlightQuery) =>
    assessFlight(query, store, {}).components.find(({ key }) => key === 'seasonality')?.value ?? 0;
  const expected = (odds: number) => 0.5 + Math.log(odds) / (2 * Math.log(2));
  t.true(Math.abs(seasonality(JFK_LAX_DL) - expected(1.2 * 0.9)) < 1e-9);
  t.true(Math.abs(seasonality({ ...JFK_LAX_DL, dest: 'AKL' }) - expected(1.2 * 0.9 * 1.1)) < 1e-9);
  t.deepEqual(new Set(lookups), new Set(['US 2026-12-22', 'NZ 2026-12-22']));
});

test('a Sunday is the seventh day of the week', (t) => {
  const days: number[] = [];
  const store = {
    ...aStore(),
    weekdayOdds: (weekday: number) => {
      days.push(weekday);
      return 1;
    },
  };
  assessFlight({ ...JFK_LAX_DL, flightDate: '2026-12-20' }, store, {});
  assessFlight({ ...JFK_LAX_DL, flightDate: '2026-12-21' }, store, {});
  t.deepEqual([...new Set(days)], [7, 1]);
});

const anOdds = fc.double({ min: -3, max: 3, noNaN: true });
const aFlight = fc.record({
  delayedRate: rate,
  cancelledRate: rate,
  flightCount: fc.integer({ min: 1, max: 5000 }),
  effects: anOdds,
  congestion: share,
  odds: fc.double({ min: 0.2, max: 5, noNaN: true }),
  weather: share,
  danger: fc.double({ min: 0, max: 5, noNaN: true }),
  mlProbability: fc.option(share, { nil: undefined }),
  crsDepHour: fc.option(fc.integer({ min: 0, max: 23 }), { nil: undefined }),
});

test('contributions and the part of the model add up to the score before rounding', (t) => {
  fc.assert(
    fc.property(aFlight, (flight) => {
      const { delayedRate, cancelledRate, flightCount, effects, odds, weather, congestion } =
        flight;
      const { mlProbability, crsDepHour } = flight;
      const store = {
        ...aStore(),
        routeCarrier: () => someStats({ delayedRate, cancelledRate, flightCount }),
        flightOdds: () => effects,
        monthOdds: () => odds,
        congestion: () => congestion,
        congestionByHour: () => new Float32Array(24).fill(congestion),
      };
      const query = { ...JFK_LAX_DL, ...(crsDepHour !== undefined && { crsDepHour }) };
      const result = assessFlight(query, store, {
        weatherDep: { score: weather, condition: 'Test', basis: 'forecast' },
        danger: someDanger({ logOdds: flight.danger }),
        ...(mlProbability !== undefined && { mlProbability }),
      });
      const statistical = result.components.reduce((sum, part) => sum + part.contribution, 0);
      const ml = 30 * (result.mlProbability ?? 0) * Math.min(1, 2 * result.confidence);
      t.true(Math.abs(statistical + ml - result.exactScore) < 1e-9);
      t.is(result.score, Math.round(result.exactScore));
      t.true(result.score >= 0 && result.score <= 100);
      // The specification's rule, applied to the served values.
      const share = mlProbability === undefined ? 1 : 0.7;
      t.true(Math.abs(statistical - share * result.exactLinear) < 1e-9);
      t.true(result.exactLinear >= 0 && result.exactLinear <= 100);
      t.deepEqual(
        result.components,
        result.components.toSorted((a, b) => b.contribution - a.contribution),
      );
      t.is(new Set(result.components.map(({ key }) => key)).size, 6);
    }),
    { numRuns: 10_000 },
  );
});

test('no factor lowers the score as it grows', (t) => {
  const assess = (
    { cancelledRate = 0.02, odds = 1, events = 0, weather = 0.3, effects = 0 },
    mlProbability?: number,
  ) => {
    const store = {
      ...aStore(),
      routeCarrier: () => someStats({ cancelledRate }),
      flightOdds: () => effects,
      monthOdds: () => odds,
    };
    const weatherDep: DayWeather = { score: weather, condition: 'Test', basis: 'forecast' };
    const danger = someDanger({ logOdds: events });
    const live = { weatherDep, danger, ...(mlProbability !== undefined && { mlProbability }) };
    return assessFlight(JFK_LAX_DL, store, live);
  };
  const ends = {
    effects: fc.tuple(anOdds, anOdds),
    cancelledRate: fc.tuple(rate, rate),
    odds: fc.tuple(rate, rate),
    events: fc.tuple(share, share),
    weather: fc.tuple(share, share),
  };
  fc.assert(
    fc.property(fc.record(ends), fc.option(share, { nil: undefined }), (pairs, ml) => {
      for (const [factor, pair] of Object.entries(pairs)) {
        const [low, high] = pair
          .toSorted((a, b) => a - b)
          .map((at) => assess({ [factor]: at }, ml));
        t.true((low?.exactScore ?? 1) <= (high?.exactScore ?? 0) + 1e-9, factor);
        t.true((low?.exactLinear ?? 1) <= (high?.exactLinear ?? 0) + 1e-9, factor);
      }
    }),
  );
});

test('twice the odds give the same number of points for every factor', (t) => {
  const store = { ...aStore(), flightOdds: () => 0 };
  const doubling = Math.LN2;
  const base = assessFlight(JFK_LAX_DL, store, {}).exactScore;
  const pointsGained = (changes: Partial<typeof store>) =>
    assessFlight(JFK_LAX_DL, { ...store, ...changes }, {}).exactScore - base;
  const points = [
    pointsGained({ flightOdds: () => doubling }),
    pointsGained({ monthOdds: () => 2 }),
  ];
  for (const one of points) t.true(Math.abs(one - marks.alone.pointsPerDoubling) < 1e-9);
});

test('an hour with more delays has the higher score, and the score without an hour is between the two', (t) => {
  const store = {
    ...aStore(),
    departureHours: () =>
      Float32Array.from({ length: 24 }, (_, hour) => Number(hour === 6 || hour === 18)),
    effects: effectTable({ 'hour 6': -1, 'hour 18': 1 }),
  };
  const at = (crsDepHour?: number) =>
    assessFlight({ ...JFK_LAX_DL, ...(crsDepHour !== undefined && { crsDepHour }) }, store, {})
      .exactScore;
  t.true(at(6) < at() && at() < at(18));
});
