import test from 'ava';
import { buildIfChanged } from '../../../warehouse/build/build-inputs.ts';
import type { Database } from '../../../warehouse/connect.ts';
import { aRouteHour, createWarehouse } from '../../helpers/warehouse.ts';

async function build(db: Database): Promise<{ rows: Record<string, number>; built: boolean }> {
  const steps: string[] = [];
  const rows = await buildIfChanged(db, (_done, _total, what) => steps.push(what));
  return { rows, built: !steps.includes('unchanged') };
}

test('a second build over the same history builds nothing and reports the same rows', async (t) => {
  const db = await createWarehouse(t, { routeHours: [aRouteHour()] });
  const first = await build(db);
  t.true(first.built);
  t.deepEqual(await build(db), { rows: first.rows, built: false });
});

test('a month loaded again, new reference data or a new migration triggers a build', async (t) => {
  const changes = [
    `update raw.lake_months set loaded_at = '2026-11-02T00:00:00Z'`,
    `insert into reference.inputs values ('new')`,
    `insert into migrations values ('0099_new.sql')`,
    `insert into raw.delay_cause_months
     values ('2026-09-01', 'table.csv', 'aa', 3, 2, 1, 0, 'bb', '1.0.0', '2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z')`,
    'delete from raw.lake_months',
  ];
  const db = await createWarehouse(t, { routeHours: [aRouteHour()] });
  await build(db);
  for (const change of changes) {
    await db.run(change);
    t.true((await build(db)).built, change);
    t.false((await build(db)).built, change);
  }
});

test('an interrupted build runs again', async (t) => {
  const db = await createWarehouse(t, { routeHours: [aRouteHour()] });
  await build(db);
  await db.run(`update raw.lake_months set loaded_at = '2026-11-02T00:00:00Z'`);
  await t.throwsAsync(
    buildIfChanged(db, (done) => {
      if (done === 3) throw new Error('killed');
    }),
  );
  await db.run(`update raw.lake_months set loaded_at = '2026-01-01T00:00:00Z'`);
  t.true((await build(db)).built);
});
