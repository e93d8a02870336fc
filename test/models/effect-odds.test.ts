import test from 'ava';
import fc from 'fast-check';
import { effectOdds, expectedLogOdds, expectedOdds } from '../../models/effect-odds.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import type { Season } from '../../warehouse/store/types.ts';
import { aStore, effectTable } from '../helpers/store.ts';

const QUERY = { origin: 'JFK', dest: 'LAX', carrier: 'DL', flightDate: '2026-07-06' };

test('effects of groups and hours add up', (t) => {
  const effects: Record<string, number> = {
    'hour 17': 0.01,
    'half_year_hour S17': 0.02,
    'carrier DL': 0.1,
    'origin JFK': 0.2,
    'dest LAX': 0.3,
    'origin_carrier JFKDL': 0.4,
    'route JFKLAX': 0.5,
    'route_carrier JFKLAXDL': 0.6,
    'carrier_hours DL@5': 0.7,
    'origin_hours JFK@8': 0.04,
    'dest_hours LAX@5': 0.05,
    'route_carrier_hours JFKLAXDL@4': 0.8,
    'origin_half_year_hours JFK@S5': 0.06,
  };
  const store = {
    ...aStore(),
    effects: effectTable(effects),
  };
  t.true(Math.abs(effectOdds({ ...QUERY, crsDepHour: 17 }, store) - 3.78) < 1e-6);
});

test('published odds are used, for the season of the flight', (t) => {
  const lookups: string[] = [];
  const store = {
    ...aStore(),
    flightOdds: (
      { crsDepHour }: { crsDepHour?: number | undefined },
      { halfYear, depth }: Season,
    ) => {
      lookups.push(`${crsDepHour} ${halfYear} ${depth}`);
      return 3;
    },
  };
  t.is(effectOdds({ ...QUERY, crsDepHour: 5 }, store), 3);
  effectOdds({ ...QUERY, flightDate: '2026-10-01' }, store);
  t.deepEqual(lookups, ['5 S 1', 'undefined W 0']);
});

test('the probability without an hour is the mean over the hours', (t) => {
  const odds = fc.double({ min: -3, max: 3, noNaN: true });
  const anHour = fc.record({
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
    odds,
  });
  fc.assert(
    fc.property(fc.array(anHour, { minLength: 1, maxLength: 24 }), (hours) => {
      const total = hours.reduce((sum, { share }) => sum + share, 0);
      const cases = hours.map((one) => ({ ...one, share: one.share / total }));
      const level = expectedLogOdds(aStore());
      const probabilityOf = (odds: number) => expit(level + odds);
      const expected = expectedOdds(cases, aStore());
      const mean = cases.reduce((sum, one) => sum + one.share * probabilityOf(one.odds), 0);
      t.true(Math.abs(probabilityOf(expected) - mean) < 1e-9);
    }),
  );
});

test('the expected level is that of the newest months, moved a quarter of the way to the long run', (t) => {
  const store = {
    network: { ...aStore().network, levelLogOdds: -2, levelRate: 0.115, isLevelNow: false },
  };
  t.true(Math.abs(expectedLogOdds(store) + 2) < 1e-9);
  const currentLevel = { network: { ...store.network, levelRate: 0.2, isLevelNow: true } };
  t.is(expectedLogOdds(currentLevel), -2);
  const badMonths = { network: { ...store.network, levelRate: 0.2 } };
  t.true(
    Math.abs(
      expectedLogOdds(badMonths) + 2 - -0.25 * (Math.log(0.2 / 0.8) - Math.log(0.115 / 0.885)),
    ) < 1e-9,
  );
});
