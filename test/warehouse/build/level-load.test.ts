import test from 'ava';
import {
  loadDelayCauses,
  loadDelayCausesBefore,
  publishedFrom,
} from '../../../warehouse/build/level-load.ts';
import { LakeMonthMissingError } from '../../../warehouse/errors.ts';
import { aCause, EMPTY_FIGURES } from '../../helpers/delay-causes.ts';
import { aFile, extractToLake, toCsv } from '../../helpers/flight-files.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

const MONTHS = `select strftime(month, '%Y-%m') as month, sum(arr_flights)::integer as flights
  from raw.delay_causes group by month order by month`;

test('several months load together, and loading a month again replaces it', async (t) => {
  const db = await createWarehouse(t);
  const rows = [
    aCause(),
    aCause({ carrier: 'AA', ...EMPTY_FIGURES }),
    aCause({ month: '3', arr_flights: '100' }),
  ];
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows), 'table.csv'));
  t.is(await loadDelayCauses(db, lakeDir, ['2025-02', '2025-03']), 300);
  const revised = [aCause({ arr_flights: '210' })];
  await extractToLake(t, await aFile(t, toCsv(revised), 'revised.csv'), { lakeDir });
  t.is(await loadDelayCauses(db, lakeDir, ['2025-02']), 210);
  t.deepEqual(await db.rows(MONTHS), [
    { month: '2025-02', flights: 210 },
    { month: '2025-03', flights: 100 },
  ]);
  t.deepEqual(
    await db.rows(
      `select source_name, rows_read, rows_loaded, rows_empty, rows_rejected
       from raw.delay_cause_months order by month`,
    ),
    [
      {
        source_name: 'revised.csv',
        rows_read: 1,
        rows_loaded: 1,
        rows_empty: 0,
        rows_rejected: 0,
      },
      { source_name: 'table.csv', rows_read: 1, rows_loaded: 1, rows_empty: 0, rows_rejected: 0 },
    ],
  );
});

test('a month missing from the lake is an error, and no month is loaded', async (t) => {
  const db = await createWarehouse(t);
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([aCause()])));
  await t.throwsAsync(loadDelayCauses(db, lakeDir, ['2025-02', '2025-03']), {
    instanceOf: LakeMonthMissingError,
  });
  t.deepEqual(await db.rows(MONTHS), []);
});

test('a month counts as known from two months after its end', (t) => {
  t.is(publishedFrom('2025-01'), '2025-04-01');
  t.is(publishedFrom('2025-11'), '2026-02-01');
});

test('only months published before the day are loaded, each from the first lake that has it', async (t) => {
  const db = await createWarehouse(t);
  const firstTable = [aCause({ month: '1', arr_flights: '111' })];
  const secondTable = [
    aCause({ year: '2024', month: '12', arr_flights: '100' }),
    aCause({ month: '1', arr_flights: '100' }),
    aCause({ month: '2', arr_flights: '100' }),
  ];
  const first = await extractToLake(t, await aFile(t, toCsv(firstTable)));
  const second = await extractToLake(t, await aFile(t, toCsv(secondTable)));
  const lakes = [first.lakeDir, second.lakeDir];
  t.deepEqual(await loadDelayCausesBefore(db, lakes, '2025-04-30'), ['2024-12', '2025-01']);
  t.deepEqual(await db.rows(MONTHS), [
    { month: '2024-12', flights: 100 },
    { month: '2025-01', flights: 111 },
  ]);
});

test('a month is not known on the day before its publication', async (t) => {
  const db = await createWarehouse(t);
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([aCause({ month: '1' })])));
  t.deepEqual(await loadDelayCausesBefore(db, [lakeDir], '2025-03-31'), []);
});
