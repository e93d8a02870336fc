import test from 'ava';
import { distributionTables } from '../../../jobs/cli/distribution-tables.ts';
import { distributionFigures } from '../../../pipelines/model/distribution.ts';
import { aScoredOutcome } from '../../helpers/scored-outcomes.ts';

/** 10,000 flights of an airline, a third of them late; `over120` of the late flights are forecast to exceed two hours. */
const flightsOf = (carrier: string, over120: number) =>
  aScoredOutcome(
    {
      ...{ carrier, completed_count: 9_990, cancelled_count: 10 },
      ...{ delayed15_count: 4_000, delayed_count: 3_000, delayed45_count: 2_000 },
      ...{ delayed60_count: 1_500, delayed90_count: 900, delayed120_count: 600 },
      ...{ delayed180_count: 300, delayed360_count: 50 },
    },
    {
      curve: {
        late: [0.4, 0.3, 0.2, 0.15, 0.1, 0.3 * over120, 0.03, 0.005],
        ...{ cancelled: 0.002, diverted: 0 },
      },
      plainCurve: {
        late: [0.4, 0.3, 0.2, 0.15, 0.1, 0.09, 0.03, 0.005],
        ...{ cancelled: 0.01, diverted: 0 },
      },
    },
  );

test('the tables show differences with their errors, long delays by airline, and payouts', (t) => {
  const tables = distributionTables(
    distributionFigures([flightsOf('AA', 0.2), flightsOf('DL', 0.1)]),
  );
  const [scores, tenths, longDelays, payouts] = tables.map(({ rows }) => rows);
  t.deepEqual(
    scores?.map(([name]) => name),
    ['CRPS, minutes', 'log loss of the classes beyond 30 minutes', 'log loss of cancellations'],
  );
  t.regex(scores?.[2]?.[3] ?? '', /^-0\.00\d{3} ± 0\.00\d{3}$/);
  t.is(tenths?.length, 10);
  t.deepEqual(longDelays, [
    ['AA', '3,000', '20.0 %', '20.0 %', '1.00'],
    ['DL', '3,000', '10.0 %', '20.0 %', '0.50'],
  ]);
  // (900 flights from 60 to 120 minutes late × 100 + 600 later flights × 250 + 10 cancelled × 400) / 10,000 flights.
  t.deepEqual(
    payouts?.map(([group, , , actual]) => [group, actual]),
    [
      ['2018-08', '24.40'],
      ['AA', '24.40'],
      ['DL', '24.40'],
    ],
  );
  for (const { head, rows } of tables) {
    for (const row of rows) t.is(row.length, head.length);
  }
});
