import test from 'ava';
import { forecastMonth } from '../../../pipelines/snapshot/forecast-rows.ts';
import { assessFlight } from '../../../models/score.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { aBrandStore } from '../../helpers/brand-store.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';

test('a route that the API scores with the record of another provider has no row of this record', async (t) => {
  const store = openStore(await someStoreFiles());
  const assessed = async (whole: ScoreStore) => {
    let count = 0;
    const assess = () => {
      count += 1;
      return Promise.resolve(undefined);
    };
    await forecastMonth('2026-12', { store: whole, assess, mayShip: (name) => name === 'bts' });
    return count;
  };
  t.true((await assessed(store)) > 0);
  const other: ScoreStore = { ...store, manifest: { ...store.manifest, provider: 'caa' } };
  t.is(await assessed({ ...store, parts: [other], forRoute: () => other }), 0);
});

test('the rows of an operator name the airlines that sell its flights, with the inferred share', async (t) => {
  const sold = aBrandStore();
  const [envoy, republic] = sold.brand('JFK', 'LAX', 'AA')!.operators;
  const operators = [envoy!, { ...republic!, inferredShare: 1, confidence: 0.61234 }];
  const store: ScoreStore = {
    ...sold,
    airlineRoutes: () => ['MQ', 'YX'].map((carrier) => ({ origin: 'JFK', dest: 'LAX', carrier })),
    brand: () => ({ ...sold.brand('JFK', 'LAX', 'AA')!, operators }),
    forRoute: () => store,
  };
  const rows = await forecastMonth('2026-12', {
    store,
    mayShip: () => true,
    assess: ({ origin, dest, airline, date }) => {
      const query = { origin, dest, carrier: airline, flightDate: date };
      return Promise.resolve({ query, store, assessment: assessFlight(query, store, {}) });
    },
  });
  const sellers = rows.map((row) => [
    ...[row.airline, row.sold_by, row.sold_by_inferred, row.sold_by_confidence],
  ]);
  t.deepEqual(sellers, [
    ['MQ', 'AA', 0, undefined],
    ['YX', 'AA', 1, 0.6123],
  ]);
});
