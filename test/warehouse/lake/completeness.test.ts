import test from 'ava';
import { loadDelayCauses, unloadDelayCauses } from '../../../warehouse/build/level-load.ts';
import { loadMonth, unloadMonth } from '../../../warehouse/build/load.ts';
import { refreshCompleteness } from '../../../warehouse/lake/completeness.ts';
import { aCause, EMPTY_FIGURES } from '../../helpers/delay-causes.ts';
import { aFile, aFlight, extractToLake, numberFlights, toCsv } from '../../helpers/flight-files.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

const KINDS = `select strftime(month, '%Y-%m') as month, kind, table_share from raw.month_completeness`;

/** Eight flights of DL from JFK to ATL on each day of February 2025. */
const FEBRUARY = numberFlights(
  Array.from({ length: 224 }, (_, n) =>
    aFlight({ FL_DATE: `2025-02-${String((n % 28) + 1).padStart(2, '0')}`, DEST: 'ATL' }),
  ),
);

test('a month is judged again when its delay-cause table is loaded, replaced or removed', async (t) => {
  const db = await createWarehouse(t);
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(FEBRUARY)));
  await loadMonth(db, lakeDir, '2025-02');
  await refreshCompleteness(db);
  t.deepEqual(await db.rows(KINDS), [{ month: '2025-02', kind: 'partial', table_share: null }]);

  const table = (changes: Record<string, string>) => [
    aCause({ arr_flights: '224' }),
    aCause({ airport: 'JFK', ...changes }),
  ];
  const loadTable = async (changes: Record<string, string>) => {
    await extractToLake(t, await aFile(t, toCsv(table(changes))), { lakeDir, force: true });
    await loadDelayCauses(db, lakeDir, ['2025-02']);
    await refreshCompleteness(db);
  };
  await loadTable(EMPTY_FIGURES);
  t.deepEqual(await db.rows(KINDS), [{ month: '2025-02', kind: 'whole', table_share: 1 }]);
  await loadTable({ arr_flights: '224' });
  t.deepEqual(await db.rows(KINDS), [{ month: '2025-02', kind: 'partial', table_share: 0.5 }]);

  await unloadDelayCauses(db, '2025-02');
  await refreshCompleteness(db);
  t.deepEqual(await db.rows(KINDS), [{ month: '2025-02', kind: 'partial', table_share: null }]);
  await unloadMonth(db, '2025-02');
  await refreshCompleteness(db);
  t.deepEqual(await db.rows(KINDS), []);
});
