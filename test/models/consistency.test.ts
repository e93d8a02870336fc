import test from 'ava';
import fc from 'fast-check';
import { driversOf, topDriver } from '../../models/drivers.ts';
import { buildExplanation } from '../../models/explanation.ts';
import { riskLabel } from '../../models/label.ts';
import { buildInterval } from '../../models/outlook.ts';
import { buildRecommendation } from '../../models/recommendation.ts';
import { assessFlight } from '../../models/score.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, someStats } from '../helpers/store.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

/** Random flights, weather and events, with and without a record. */
const worlds = fc.record({
  tier: fc.constantFrom('exact', 'route_any_airline', 'no_data'),
  flightCount: fc.integer({ min: 1, max: 20_000 }),
  delayedRate: fc.double({ min: 0.01, max: 0.6, noNaN: true }),
  cancelledRate: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
  effects: fc.double({ min: -2, max: 2, noNaN: true }),
  onRecord: fc.record({ origin: fc.boolean(), dest: fc.boolean(), carrier: fc.boolean() }),
  congestionDep: maybe(share),
  congestionArr: maybe(share),
  monthOdds: fc.double({ min: 0.5, max: 2, noNaN: true }),
  weather: maybe(share),
  mlProbability: maybe(share),
  event: maybe(fc.double({ min: 0, max: 6, noNaN: true })),
  last: fc.constantFrom('2018-12', '2022-04', '2026-02'),
});

type World = typeof worlds extends fc.Arbitrary<infer Shape> ? Shape : never;

function assess({ tier, onRecord, ...world }: World) {
  const { delayedRate, cancelledRate, congestionDep, congestionArr } = world;
  const stats = someStats({ flightCount: world.flightCount, delayedRate, cancelledRate });
  const congestion = (iata: string) => (iata === 'JFK' ? congestionDep : congestionArr);
  const store = {
    ...aStore(),
    routeCarrier: () => (tier === 'exact' ? stats : undefined),
    route: () => (tier === 'no_data' ? undefined : stats),
    carriersOnRoute: () => (tier === 'no_data' ? [] : [{ carrier: 'DL', ...stats }]),
    recordMonths: () => (tier === 'no_data' ? undefined : { first: '2015-01', last: world.last }),
    flightOdds: () => world.effects,
    groupRates: (kind: keyof typeof onRecord) =>
      onRecord[kind] ? { delayedRate, cancelledRate } : undefined,
    congestion,
    congestionByHour: (iata: string) => {
      const level = congestion(iata);
      return level === undefined ? undefined : new Float32Array(24).fill(level);
    },
    monthOdds: () => world.monthOdds,
  };
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' };
  return assessFlight(query, store, {
    ...(world.weather !== undefined && {
      weatherDep: { score: world.weather, condition: 'Wind', basis: 'forecast' as const },
    }),
    ...(world.mlProbability !== undefined && { mlProbability: world.mlProbability }),
    ...(world.event !== undefined && { danger: someDanger({ logOdds: world.event }) }),
  });
}

const NAMES = { airline: 'American', origin: 'New York', dest: 'Los Angeles' };

test('stats, components, drivers, interval and words never contradict each other', (t) => {
  fc.assert(
    fc.property(worlds, (world) => {
      const assessment = assess(world);
      const { components, unknown, congestionDep, congestionArr, tier, score } = assessment;
      const partOf = (wanted: string) => components.find(({ key }) => key === wanted)!;
      // The value of congestion is the mean of both airports' congestion, and congestion never takes points away.
      const congestion = partOf('congestion');
      t.true(Math.abs(congestion.value - (congestionDep + congestionArr) / 2) < 1e-9);
      t.true(congestion.contribution >= 0);
      const isIdle = congestionDep + congestionArr === 0;
      const isUnknown = unknown.includes('congestion_dep') && unknown.includes('congestion_arr');
      if (isIdle || isUnknown) t.is(congestion.contribution, 0);
      // What is unknown or not in force adds nothing.
      if (world.weather === undefined) t.is(partOf('weather').contribution, 0);
      if (world.event === undefined) t.is(partOf('event_risk').contribution, 0);
      if (unknown.includes('seasonality')) t.is(partOf('seasonality').contribution, 0);
      if (unknown.includes('cancel_rate')) t.is(partOf('cancel_rate').contribution, 0);
      // The points of the drivers add up to those of the components, and the recommendation agrees with the top driver.
      const drivers = driversOf(assessment);
      const difference = sum(drivers.map(({ points }) => points));
      t.true(Math.abs(difference - sum(components.map((one) => one.aboveAverage))) < 1e-9);
      const top = topDriver(assessment);
      const recommendation = buildRecommendation(assessment);
      const [, direction] = /, (raised|lowered) most by/.exec(recommendation) ?? [];
      if (direction !== undefined) t.is(direction, (top?.points ?? 0) > 0 ? 'raised' : 'lowered');
      if (riskLabel(score) === 'Low' && direction === 'raised') {
        t.true(
          drivers.every(({ points }) => points > -1),
          'nothing lowers the flight',
        );
      }
      // Without flights on the route there is neither an interval nor a claim about this flight.
      const interval = buildInterval(assessment, 50);
      if (tier === 'no_data') {
        t.regex(recommendation, /^No delay record for this flight(\.|, and )/);
        t.is(interval, undefined);
        t.is(assessment.mlProbability, undefined);
      } else {
        const [low, high] = interval?.score ?? [1, 0];
        t.true(low <= score && score <= high, `${low} ${score} ${high}`);
      }
      const text = buildExplanation(assessment, NAMES);
      for (const [, points = ''] of text.matchAll(/(?:adds|takes away) (\d+\.\d) points/g)) {
        const isDriver = ({ points: own }: { points: number }) =>
          Math.abs(own).toFixed(1) === points;
        t.true(drivers.some(isDriver), text);
      }
    }),
    { numRuns: 10_000 },
  );
});
