import test from 'ava';
import { loadReference } from '../../../warehouse/reference/load.ts';
import { aRouteHour, createWarehouse } from '../../helpers/warehouse.ts';

const NIGHT = new Date('2026-11-01T02:30:00Z');
const NEXT_NIGHT = new Date('2026-11-02T02:30:00Z');

const NEXT_YEAR = new Date('2027-01-01T02:30:00Z');

const TABLES = ['airports', 'airlines', 'holidays', 'calendar_days'];

test('the reference tables are filled once, and again if the year or the history changes', async (t) => {
  const db = await createWarehouse(t, { routeHours: [aRouteHour()] });
  const firstHoliday = async () => {
    const [row] = await db.rows<{ first: string }>(
      `select min(holiday_date) as first from reference.holidays where country_code = 'US'`,
    );
    return row?.first;
  };

  t.true(await loadReference(db, NIGHT));
  t.is(await firstHoliday(), '2017-01-01');
  for (const table of TABLES) {
    const [row] = await db.rows<{ count: number }>(
      `select count(*) as count from reference.${table}`,
    );
    t.true((row?.count ?? 0) > 500, table);
  }

  t.false(await loadReference(db, NEXT_NIGHT));
  t.true(await loadReference(db, NEXT_YEAR));

  await db.run(
    `insert into raw.route_hours select * replace (date '2015-01-01' as month) from raw.route_hours`,
  );
  t.true(await loadReference(db, NEXT_YEAR));
  t.is(await firstHoliday(), '2015-01-01');
});
