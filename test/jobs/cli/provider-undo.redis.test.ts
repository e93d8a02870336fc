import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { monthDir } from '../../../warehouse/lake/lake.ts';
import { versionsDir, listVersionIds } from '../../../warehouse/lake/versions.ts';
import { dataPaths, providerLakeDir, providerPaths } from '../../../warehouse/paths.ts';
import { readSnapshot } from '../../../warehouse/snapshot.ts';
import { aCaaFile } from '../helpers/caa-files.ts';
import { programHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/**
 * Creates a data folder, and functions that load British data and undo the loads. The counts of a year replace the
 * counts of the year's months.
 */
async function aBritain(t: ExecutionContext) {
  const dataDir = await tempDir(t);
  const run = await programHere(t, dataDir);
  const paths = dataPaths(dataDir);
  const ingest = async (...periods: string[]) => {
    const files = periods.map((period) => join(dataDir, `caa-${period}.csv`));
    for (const [at, period] of periods.entries()) await writeFile(files[at]!, aCaaFile(period));
    return run('ingest', ...files);
  };
  const loaded = async () =>
    (await readSnapshot(providerPaths(paths, 'caa'))).map(({ month }) => month);
  const caa = (command: string, month: string, ...options: string[]) =>
    run(command, month, '--provider', 'caa', ...options);
  return { run, ingest, loaded, caa, own: providerLakeDir(paths.lakeDir, 'caa') };
}

test.serial(
  'dropped counts of a year give way to those of its months, until restored',
  async (t) => {
    const { run, ingest, loaded, caa, own } = await aBritain(t);
    await ingest('201903', '202001');
    const { out } = await ingest('2019');
    t.regex(out, /│ caa_punctuality │ caa 2019 │/);
    t.deepEqual(await loaded(), ['2019-12', '2020-01']);
    t.regex((await run('status')).out, /Others {3}caa: 1 year, 2019; 1 month, 2020-01; 2 rows\n/);

    const dropped = await caa('drop', '2019');
    t.is(dropped.code, 0, dropped.err);
    t.regex(dropped.out, /^caa 2019 before {2}100 flights, .*\n {8}after {3}not loaded\n/);
    t.regex(dropped.out, /To undo: make restore MONTH=2019 PROVIDER=caa\n/);
    t.deepEqual(await loaded(), ['2019-03', '2020-01']);
    const shown = await run('status', '--month', '2019', '--provider', 'caa');
    t.regex(shown.out, /make restore VERSION= .*\n.*\n│ \d+T\d+Z-\w+ +│ caa-2019\.csv/);

    const restored = await caa('restore', '2019');
    t.is(restored.code, 0, restored.err);
    t.regex(restored.out, /^caa 2019 now {2}not loaded, or damaged\n/);
    t.deepEqual(await loaded(), ['2019-12', '2020-01']);
    const [version] = await listVersionIds(versionsDir(own, { month: '2020-01', tree: 'flights' }));
    t.is(version, undefined, 'other months are unchanged');
  },
);

test.serial(
  'a month inside the counts of a year, and options that do not fit, are errors',
  async (t) => {
    const { ingest, caa, run } = await aBritain(t);
    await ingest('2019', '202001');
    const inside = await caa('drop', '2019-12');
    t.regex(inside.err, /caa has 2019-12 only in the counts of the whole year: MONTH=2019/);
    const noYear = await run('drop', '2020', '--provider', 'zrh');
    t.is(noYear.err, 'zrh 2020 is not in the lake\n');
    const levels = await caa('drop', '2019', '--levels');
    t.regex(levels.err, /LEVELS=1 is for the delay-cause table, which only BTS publishes/);
    t.regex((await run('drop', '2019', '--provider', 'xyz')).err, /No provider has the name "xyz"/);
    t.regex((await run('drop', '2019')).err, /MONTH="2019" is neither a month/);
  },
);

test.serial('a restore of a December does not choose the counts of the year', async (t) => {
  const { ingest, loaded, caa } = await aBritain(t);
  await ingest('2019');
  await caa('drop', '2019');
  await ingest('201912');
  const december = await caa('restore', '2019-12');
  t.is(december.code, 1);
  t.regex(december.err, /Nothing was changed: caa 2019-12 has no former version/);
  const year = await caa('restore', '2019');
  t.is(year.code, 0, year.err);
  t.deepEqual(await loaded(), ['2019-12']);
  const [, version = ''] = /To undo: make restore MONTH=2019-12 VERSION=(\S+)/.exec(year.out) ?? [];
  const back = await caa('restore', '2019-12', version);
  t.is(back.code, 0, back.err);
});

test.serial(
  'a December does not replace the counts of its year, and is current again after the year is dropped',
  async (t) => {
    const { ingest, loaded, caa } = await aBritain(t);
    await ingest('201911', '201912');
    await ingest('2019');
    const december = await ingest('201912');
    t.is(december.code, 1);
    t.regex(december.out, /the lake has the counts of the whole year 2019 in the place of 2019-12/);
    t.regex(
      december.out,
      /after make drop PROVIDER=caa MONTH=2019, the months of the year are used/,
    );
    t.deepEqual(await loaded(), ['2019-12']);
    const dropped = await caa('drop', '2019');
    const [, restore = ''] = /To restore this month: (make restore .*)\n/.exec(dropped.out) ?? [];
    t.is(restore, 'make restore PROVIDER=caa MONTH=2019-12');
    t.is((await caa('restore', '2019-12')).code, 0);
    t.deepEqual(await loaded(), ['2019-11', '2019-12']);
  },
);

test.serial(
  'a damaged month without former versions can be dropped, but not restored',
  async (t) => {
    const { ingest, caa, own } = await aBritain(t);
    await ingest('202001');
    await writeFile(join(monthDir(own, '2020-01'), 'manifest.json'), 'damaged');
    t.is((await caa('restore', '2020-01')).err, 'caa 2020-01 is not in the lake\n');
    const dropped = await caa('drop', '2020-01');
    t.is(dropped.code, 0, dropped.err);
    t.is((await caa('drop', '2020-01')).err, 'caa 2020-01 is not in the lake\n');
  },
);

test.serial('queries of another provider read its own warehouse', async (t) => {
  const { ingest, run } = await aBritain(t);
  await ingest('2019');
  const query = 'select month, period_months from raw.lake_months';
  t.regex((await run('sql', query, '--provider', 'caa', '--csv')).out, /\n2019-12-01,12\n/);
  await ingest('2018');
  const rejects = await run('sql', 'select count(*) as rows from rejects', '--provider', 'caa');
  t.is(rejects.code, 0, rejects.err);
});
