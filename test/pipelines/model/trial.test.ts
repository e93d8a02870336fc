import test from 'ava';
import { blocksOf, holdBack } from '../../../pipelines/model/trial.ts';
import { someOutcomes } from './helpers/outcomes.ts';

const YEAR = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}`);

/** Months of so many flights, over thirty days; notes which were read. */
function aLake(flights: Record<string, number>, days = 28) {
  const read: string[] = [];
  return {
    read,
    outcomesOf: async (month: string) => {
      read.push(month);
      return someOutcomes(month, flights[month] ?? 0, days);
    },
  };
}

const full = Object.fromEntries(YEAR.map((month) => [month, 15_000]));

test('two months are held back where they have flights enough, and no other is read', async (t) => {
  const { outcomesOf, read } = aLake(full);
  const held = await holdBack(YEAR, [], outcomesOf);
  t.deepEqual(held.months, ['2025-11', '2025-12']);
  t.is(held.flights, 30_000);
  t.is(held.blocks, 56);
  t.is(held.outcomes.length, 56);
  t.is(held.outcomes[0]?.flight_date, '2025-11-01');
  t.deepEqual(read, ['2025-12', '2025-11']);
});

test('where they have not, more are', async (t) => {
  const { outcomesOf } = aLake({ ...full, '2025-12': 400, '2025-11': 400 });
  const held = await holdBack(YEAR, [], outcomesOf);
  t.deepEqual(held.months, ['2025-09', '2025-10', '2025-11', '2025-12']);
});

test('a single month does where the one before was seen by the released model', async (t) => {
  const { outcomesOf } = aLake({ ...full, '2025-12': 20_000 });
  t.deepEqual((await holdBack(YEAR, YEAR.slice(0, 11), outcomesOf)).months, ['2025-12']);
  t.deepEqual((await holdBack(YEAR, YEAR.slice(0, 10), outcomesOf)).months, ['2025-11', '2025-12']);
});

test('where the months it has not seen are too few, those it has seen are taken, too', async (t) => {
  const { outcomesOf } = aLake({ ...full, '2025-12': 19_999 });
  t.deepEqual((await holdBack(YEAR, YEAR.slice(0, 11), outcomesOf)).months, ['2025-11', '2025-12']);
});

test('a few days are too few, however many flights they have', async (t) => {
  const { outcomesOf } = aLake({ ...full, '2025-12': 50_000, '2025-11': 50_000 }, 4);
  t.deepEqual((await holdBack(YEAR, [], outcomesOf)).months, YEAR.slice(-5));
});

test('two months are always left to learn from', async (t) => {
  const { outcomesOf } = aLake({ '2025-12': 400 });
  const held = await holdBack(YEAR, [], outcomesOf);
  t.deepEqual(held.months, YEAR.slice(2));
  t.is(held.flights, 400);
});

test('more can be asked for', async (t) => {
  const { outcomesOf } = aLake(full);
  t.deepEqual((await holdBack(YEAR, [], outcomesOf, 30_001)).months, YEAR.slice(-3));
});

test('flights with a date are drawn by day, those without by airport and month', (t) => {
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
