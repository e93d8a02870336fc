import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { publishedWorld, silent } from '../helpers/pipeline-world.ts';

test('a user’s broken model does not stop the publish, a user’s failing error check does, and a rebuild has both', async (t) => {
  const { dataDir, redis, paths } = await publishedWorld(t);
  const userSqlDir = join(dataDir, 'own');
  const write = async (name: string, sql: string) => {
    await mkdir(join(userSqlDir, name, '..'), { recursive: true });
    await writeFile(join(userSqlDir, `${name}.sql`), sql);
  };
  const config = { dataDir, codeVersion: 'test', offline: true, userSqlDir };
  const steps = createSteps(config, redis);
  await write(
    'marts/flights_of',
    '-- One row.\ncreate or replace table marts.flights_of as\nselect sum(flight_count) as n from raw.route_hours',
  );
  await write(
    'marts/broken',
    '-- One row.\ncreate or replace table marts.broken as\nselect nothing',
  );
  const built = await steps.buildFeatures(silent);
  t.is(built.rows['flights_of'], 1);
  const broken = built.checks.find(({ check }) => check === 'marts/broken');
  t.like(broken, { severity: 'warn', failures: 1 });
  t.true(broken?.problem?.startsWith(`${join(userSqlDir, 'marts', 'broken.sql')}: Binder Error`));
  await steps.publishStore(silent);
  await write(
    'checks/no_flights',
    '-- flights\n--   error: any row: there are none\n--   warn: never: no\nselect n from marts.flights_of where n = 200',
  );
  const rebuilt = await steps.rebuildWarehouse(silent);
  t.is(rebuilt.rows['flights_of'], 1);
  await t.throwsAsync(steps.publishStore(silent), { message: /no_flights/ });
  await rm(userSqlDir, { recursive: true });
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
  const db = await openDatabase({ path: paths.warehouseFile, readOnly: true });
  t.teardown(() => db.close());
  await t.throwsAsync(db.rows('from marts.flights_of'), { message: /does not exist/ });
});
