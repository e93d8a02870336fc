import test from 'ava';
import { openStore } from '../../../warehouse/store/open.ts';
import { storeFilesOf } from '../../helpers/store-files.ts';

const MADISON = { origin: 'ORD', dest: 'MSN', brand: 'AA' };
const ENVOY = {
  ...{
    ...MADISON,
    carrier: 'MQ',
    share: 0.75,
    inferred_share: 1,
    confidence: 0.9,
    first_month: 576,
    last_month: 627,
  },
  ...{ flight_count: 60, completed_count: 58, delayed_count: 6, cancelled_count: 2 },
  ...{ delayed_min_sum: 300, delayed_rate: 0.1, cancelled_rate: 0.02 },
  hours: Array.from({ length: 24 }, (_, hour) => (hour === 8 ? 3 : 0)),
};
const PIEDMONT = {
  ...{ ...ENVOY, carrier: 'PT', share: 0.25, inferred_share: 0, confidence: null },
  last_month: 630,
  ...{ flight_count: 20, completed_count: 20, delayed_count: 6, cancelled_count: 0 },
  ...{ delayed_rate: 0.3, cancelled_rate: 0.06 },
  hours: Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 1 : 0)),
};

test('a brand on a route has the sums and the mean rates of its operators', (t) => {
  const store = openStore(storeFilesOf({ brand_operators: [ENVOY, PIEDMONT] }));
  const brand = store.brand('ORD', 'MSN', 'AA');

  t.deepEqual(
    brand?.operators.map(({ carrier, share, inferredShare }) => [carrier, share, inferredShare]),
    [
      ['MQ', 0.75, 1],
      ['PT', 0.25, 0],
    ],
  );
  t.deepEqual(brand?.stats, {
    flightCount: 80,
    completedCount: 78,
    delayedCount: 12,
    cancelledCount: 2,
    delayedMinSum: 600,
    delayedRate: 0.75 * 0.1 + 0.25 * 0.3,
    cancelledRate: 0.75 * 0.02 + 0.25 * 0.06,
  });
  t.like(brand, { inferredShare: 0.75, confidence: 0.9 });
  t.deepEqual(store.brandsOnRoute('ORD', 'MSN'), ['AA']);
  t.deepEqual([...store.brandRoutes()], [{ origin: 'ORD', dest: 'MSN', carrier: 'AA' }]);
  t.deepEqual(brand?.months, { first: '2018-01', last: '2022-07' });
  t.deepEqual([brand?.hours[8], brand?.hours[9], brand?.hours[10]], [3, 1, 0]);
});

test('an operator, and a brand without partners on the route, have no brand record', (t) => {
  const store = openStore(storeFilesOf({ brand_operators: [ENVOY, PIEDMONT] }));
  t.is(store.brand('ORD', 'MSN', 'MQ'), undefined);
  t.is(store.brand('MSN', 'ORD', 'AA'), undefined);
});
