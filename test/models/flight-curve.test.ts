import test from 'ava';
import fc from 'fast-check';
import { DELAY_MINUTES, probabilityOver, type DelayCurve } from '../../models/delay-curve.ts';
import { flightBand, flightCurve, type ScoredFlight } from '../../models/flight-curve.ts';
import { buildOutlook, OUTCOMES } from '../../models/outlook.ts';
import { payoutOf, type PayoutTerm } from '../../models/payout.ts';
import { assessFlight } from '../../models/score.ts';
import type { DayWeather, LiveInputs } from '../../models/types.ts';
import { OUTCOME_STEPS } from '../../warehouse/store/outcome-kinds.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, outcomeTable, someStats } from '../helpers/store.ts';

const RUNS = 10_000;
const QUERY = {
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'AA',
  flightDate: '2026-11-20',
  crsDepHour: 18,
};

const weather = (changes: Partial<DayWeather> = {}): DayWeather => ({
  score: 0.25,
  condition: 'Fair',
  basis: 'forecast',
  fetchedAt: '2026-11-20T06:00:00Z',
  cancelOdds: 0,
  ...changes,
});

const effect = fc.double({ min: -2, max: 2, noNaN: true });
const probability = fc.double({ min: 0, max: 1, noNaN: true });
const cases = fc.record({
  mlProbability: probability,
  cancelledRate: fc.double({ min: 0.0005, max: 0.5, noNaN: true }),
  completedCount: fc.integer({ min: 0, max: 20_000 }),
  carrier: fc.array(effect, { minLength: 7, maxLength: 7 }),
  hour: fc.array(effect, { minLength: 7, maxLength: 7 }),
  forecast: fc.option(
    fc.record({ score: probability, cancelOdds: fc.double({ min: -1, max: 9, noNaN: true }) }),
  ),
  event: fc.option(
    fc.record({
      logOdds: fc.double({ min: 0, max: 6, noNaN: true }),
      cancelledShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function flightOf({ mlProbability, forecast, event, ...facts }: Case): ScoredFlight {
  const { cancelledRate, completedCount } = facts;
  const named = (values: number[]) =>
    Object.fromEntries(OUTCOME_STEPS.map((step, at) => [step, values[at] ?? 0]));
  const store = {
    ...aStore(),
    routeCarrier: () => someStats({ cancelledRate, completedCount }),
    outcomes: outcomeTable({
      'carrier AA': named(facts.carrier),
      'hour 18': named(facts.hour),
    }),
  };
  const live: LiveInputs = {
    mlProbability,
    ...(forecast && { weatherDep: weather(forecast) }),
    ...(event && { danger: someDanger(event) }),
  };
  return { query: QUERY, assessment: assessFlight(QUERY, store, live), store };
}

const TERMS: PayoutTerm[] = [
  { condition: 60, amount: 100 },
  { condition: 120, amount: 250 },
  { condition: 'cancelled', amount: 400 },
];

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
const isFalling = (values: readonly number[]) =>
  values.every((value, at) => at === 0 || value <= (values[at - 1] as number));

test('a curve never rises and agrees with ml_probability, outlook and payout, for 10,000 random flights, forecasts and events', (t) => {
  fc.assert(
    fc.property(cases, (one) => {
      const flight = flightOf(one);
      const curve = flightCurve(flight) as DelayCurve;
      const { late, cancelled, diverted } = curve;
      const everyMinute = Array.from({ length: 346 }, (_, at) => probabilityOver(curve, 15 + at));
      t.true(isFalling(everyMinute));
      t.true([...late, cancelled, diverted].every((value) => value >= 0 && value <= 1));
      const ml = Math.max(0, Math.round(10_000 * (flight.assessment.mlProbability ?? -1))) / 10_000;
      t.is(late[DELAY_MINUTES.indexOf(30)], ml);
      const outlook = buildOutlook(curve);
      const shares = OUTCOMES.map((outcome) => outlook[outcome]);
      t.true(shares.every((share) => share >= 0));
      t.true(Math.abs(sumOf(shares) - 1) < 1e-9);
      t.true(Math.abs(sumOf(shares.slice(2, 5)) - ml) < 1e-9);
      const parts = sumOf(Object.values(outlook.beyond120));
      t.true(Math.abs(parts - outlook.over_120) < 1e-9);
      const expected =
        100 * outlook.from_60_to_120 + 250 * outlook.over_120 + 400 * outlook.cancelled;
      const paid = payoutOf(TERMS, { curve, low: curve, high: curve });
      t.true(Math.abs(paid.expected - expected) < 1e-6);
    }),
    { numRuns: RUNS },
  );
});

test('the band contains the curve and never rises, and the payout lies in its band', (t) => {
  fc.assert(
    fc.property(cases, (one) => {
      const band = flightBand(flightOf(one));
      if (!band) throw new Error('no band');
      const { curve, low, high } = band;
      t.true(isFalling(low.late) && isFalling(high.late));
      t.true(curve.late.every((value, at) => (low.late[at] as number) <= value));
      t.true(curve.late.every((value, at) => value <= (high.late[at] as number)));
      const payout = payoutOf(TERMS, band);
      t.true(payout.low <= payout.expected && payout.expected <= payout.high);
      t.true(payout.standardDeviation >= 0);
    }),
    { numRuns: 1_000 },
  );
});

test('no event empties a class of the outlook while both neighbours are full', (t) => {
  const usual = fc.record({
    mlProbability: fc.double({ min: 0.03, max: 0.5, noNaN: true }),
    logOdds: fc.double({ min: 0, max: 6, noNaN: true }),
    cancelledShare: fc.constantFrom(0.15, 0.2, 0.3),
  });
  fc.assert(
    fc.property(usual, ({ mlProbability, ...event }) => {
      const none = [0, 0, 0, 0, 0, 0, 0];
      const flight = flightOf({
        ...{ mlProbability, event, forecast: null, carrier: none, hour: none },
        ...{ cancelledRate: 0.016, completedCount: 980 },
      });
      const outlook = buildOutlook(flightCurve(flight) as DelayCurve);
      const classes = OUTCOMES.slice(0, 5).map((outcome) => outlook[outcome]);
      for (let at = 1; at < classes.length - 1; at++) {
        const neighbours = Math.min(classes[at - 1] as number, classes[at + 1] as number);
        t.true((classes[at] as number) >= 0.1 * neighbours - 1e-4);
      }
    }),
    { numRuns: RUNS },
  );
});

test('events and bad weather make long delays more common among late flights', (t) => {
  const shareOver120 = (live: LiveInputs) => {
    const store = aStore();
    const assessment = assessFlight(QUERY, store, { mlProbability: 0.2, ...live });
    const { late } = flightCurve({ query: QUERY, assessment, store }) as DelayCurve;
    return (late[5] as number) / (late[1] as number);
  };
  const calm = shareOver120({});
  t.true(shareOver120({ danger: someDanger() }) > 1.2 * calm);
  t.true(shareOver120({ weatherDep: weather({ score: 1 }) }) > 1.1 * calm);
});

test('a forecast of a storm raises cancellations, less the older the forecast is', (t) => {
  const cancelledWith = (weatherDep: DayWeather) => {
    const store = aStore();
    const assessment = assessFlight(QUERY, store, { mlProbability: 0.2, weatherDep });
    return (flightCurve({ query: QUERY, assessment, store }) as DelayCurve).cancelled;
  };
  const usual = cancelledWith(weather());
  const storms = ['2026-11-20', '2026-11-17', '2026-11-10', '2026-11-04'].map((day) =>
    cancelledWith(weather({ cancelOdds: 3, fetchedAt: `${day}T00:00:00Z` })),
  );
  t.true((storms[0] as number) > 5 * usual);
  t.true(isFalling(storms));
  t.true((storms[3] as number) < 1.1 * usual);
});
