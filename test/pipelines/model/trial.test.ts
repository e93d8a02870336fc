import test from 'ava';
import { blocksOf, holdOutMonths } from '../../../pipelines/model/trial.ts';
import { someOutcomes } from './helpers/outcomes.ts';

const YEAR = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}`);

/**
 * A lake with this number of flights in each month, spread over `days` days. `monthsRead` records the months that were
 * read.
 */
function aLake(flights: Record<string, number>, days = 28) {
  const monthsRead: string[] = [];
  return {
    monthsRead,
    outcomesOf: async (month: string) => {
      monthsRead.push(month);
      return someOutcomes(month, flights[month] ?? 0, days);
    },
  };
}

const FULL_YEAR = Object.fromEntries(YEAR.map((month) => [month, 15_000]));

test('two months with enough flights are held out, and no other month is read', async (t) => {
  const { outcomesOf, monthsRead } = aLake(FULL_YEAR);
  const heldOut = await holdOutMonths(YEAR, [], outcomesOf);
  t.deepEqual(heldOut.months, ['2025-11', '2025-12']);
  t.is(heldOut.flights, 30_000);
  t.is(heldOut.blocks, 56);
  t.is(heldOut.outcomes.length, 56);
  t.is(heldOut.outcomes[0]?.flight_date, '2025-11-01');
  t.deepEqual(monthsRead, ['2025-12', '2025-11']);
});

test('more months are held out until there are enough flights', async (t) => {
  const { outcomesOf } = aLake({ ...FULL_YEAR, '2025-12': 400, '2025-11': 400 });
  const heldOut = await holdOutMonths(YEAR, [], outcomesOf);
  t.deepEqual(heldOut.months, ['2025-09', '2025-10', '2025-11', '2025-12']);
});

test('one month is enough when the released model was trained on the month before', async (t) => {
  const { outcomesOf } = aLake({ ...FULL_YEAR, '2025-12': 20_000 });
  t.deepEqual((await holdOutMonths(YEAR, YEAR.slice(0, 11), outcomesOf)).months, ['2025-12']);
  t.deepEqual((await holdOutMonths(YEAR, YEAR.slice(0, 10), outcomesOf)).months, [
    '2025-11',
    '2025-12',
  ]);
});

test('months that the released model was trained on are used when the others are too few', async (t) => {
  const { outcomesOf } = aLake({ ...FULL_YEAR, '2025-12': 19_999 });
  t.deepEqual((await holdOutMonths(YEAR, YEAR.slice(0, 11), outcomesOf)).months, [
    '2025-11',
    '2025-12',
  ]);
});

test('months with only a few days are not enough, even with many flights', async (t) => {
  const { outcomesOf } = aLake({ ...FULL_YEAR, '2025-12': 50_000, '2025-11': 50_000 }, 4);
  t.deepEqual((await holdOutMonths(YEAR, [], outcomesOf)).months, YEAR.slice(-5));
});

test('two months are always left for training', async (t) => {
  const { outcomesOf } = aLake({ '2025-12': 400 });
  const heldOut = await holdOutMonths(YEAR, [], outcomesOf);
  t.deepEqual(heldOut.months, YEAR.slice(2));
  t.is(heldOut.flights, 400);
});

test('the minimum of flights is a parameter', async (t) => {
  const { outcomesOf } = aLake(FULL_YEAR);
  t.deepEqual((await holdOutMonths(YEAR, [], outcomesOf, 30_001)).months, YEAR.slice(-3));
});

test('the block of a flight is its day, or its airport and month when it has no date', (t) => {
  const [dated, other] = someOutcomes('2025-03', 20, 2);
  const undated = ['JFK', 'SEA'].flatMap((origin) =>
    someOutcomes('2025-04', 10, 1).map((one) => ({ ...one, origin, dated_by: 'month' as const })),
  );
  t.deepEqual(blocksOf([dated, other, ...undated].filter((one) => one !== undefined)), [
    '2025-03-01',
    '2025-03-02',
    '2025-04 JFK',
    '2025-04 SEA',
  ]);
});
