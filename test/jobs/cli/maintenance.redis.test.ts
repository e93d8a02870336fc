import { readdirSync } from 'node:fs';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { createMaintenance } from '../../../jobs/cli/maintenance/steps.ts';
import { readConfig } from '../../../jobs/config.ts';
import { createLedger } from '../../../jobs/wiring/ledger.ts';
import { listBackups } from '../../../warehouse/lake/backup-files.ts';
import { recordRun } from '../../../pipelines/ledger.ts';
import { saveToDisk } from '../../../warehouse/store/disk.ts';
import { sealManifest } from '../../../warehouse/store/manifest.ts';
import { monthDir } from '../../../warehouse/lake/lake.ts';
import { monthCsv } from '../helpers/months.ts';
import { publishedWorld, silent } from '../helpers/pipeline-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A published service with a folder for backups. */
async function aService(t: ExecutionContext, env: Record<string, string> = {}) {
  const world = await publishedWorld(t);
  const { dataDir, url, paths } = world;
  const backupTo = await tempDir(t);
  const config = readConfig({ DATA_DIR: dataDir, REDIS_URL: url, BACKUP_TO: backupTo, ...env });
  const ledger = createLedger(paths, 'test');
  const log = pino({ level: 'silent' });
  const steps = createMaintenance(config, { ledger, log });
  const lakeFile = async () => {
    const folder = monthDir(paths.lakeDir, '2018-07');
    const name = (await readdir(folder)).find((one) => one.endsWith('.route_hours.parquet'));
    return join(folder, name ?? '');
  };
  return { ...world, backupTo, maintenance: steps, ledger, lakeFile };
}

test('verify reports what it checked, fails with the damaged month, and is in the ledger', async (t) => {
  const { maintenance, lakeFile, runs } = await aService(t);
  const { summary } = await maintenance.verify(silent);
  t.regex(summary, /^\d+ months, versions and files, .*, all intact$/);
  await appendFile(await lakeFile(), 'x');
  await t.throwsAsync(maintenance.verify(silent), {
    message: /^Damaged flights: 2018-07\. To fix it: load the source again/,
  });
  const outcomes = (await runs()).filter(({ step }) => step === 'verify');
  t.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['done', 'failed'],
  );
});

test('a drill restores the newest backup, compares answers, and leaves no files', async (t) => {
  const { maintenance, dataDir, steps, runs } = await aService(t);
  t.regex((await maintenance.drill(silent)).summary, /^no backup in .* yet$/);
  await maintenance.backup(silent);
  const before = (await readdir(dataDir)).toSorted();
  const temporary: string[] = [];
  const { summary } = await maintenance.drill(() => {
    temporary.push(...readdirSync(dataDir).filter((name) => !before.includes(name)));
  });
  // A name with this form is removed by the next worker if the drill is killed.
  t.true(temporary.length > 0);
  for (const name of temporary) t.regex(name, /^\.[0-9a-f]{12}-\d+-[0-9a-f-]{36}\.tmp/);
  t.regex(summary, /^headwind-\w+ restored in \d+ s: 1 month, 0 keys, (\d+) of \1 answers equal$/);
  t.deepEqual((await readdir(dataDir)).toSorted(), before);

  const february = join(dataDir, 'february.csv');
  await writeFile(february, monthCsv('2025-02', 300, 30));
  await steps.extractFile({ path: february }, silent);
  await steps.loadMonths(['2025-02'], silent);
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
  t.regex(
    (await maintenance.drill(silent)).summary,
    /\d+ of \d+ answers equal \(the lake has changed since the backup\)$/,
  );
  t.deepEqual((await runs()).filter(({ step }) => step === 'drill').length, 3);
});

test('a drill fails if the backup is damaged', async (t) => {
  const { maintenance, backupTo, dataDir } = await aService(t);
  await maintenance.backup(silent);
  const [folder = ''] = await listBackups(backupTo);
  const archive = join(folder, 'archive', 'keys.jsonl');
  await appendFile(archive, ' ');
  const before = await readdir(dataDir);
  await t.throwsAsync(maintenance.drill(silent), {
    message: /^headwind-\w+ is damaged: 1 file, for example archive\/keys\.jsonl$/,
  });
  t.deepEqual(await readdir(dataDir), before);
});

test('a drill fails if the restored store answers otherwise than the running store of the same lake', async (t) => {
  const { maintenance, paths, ledger, dataDir } = await aService(t);
  await maintenance.backup(silent);
  const { store } = await publishedWorld(t, monthCsv('2018-07', 300, 30));
  const { version: _, ...content } = store.manifest;
  const manifest = sealManifest({ ...content, builtAt: new Date().toISOString() });
  await saveToDisk(paths.storeDir, { ...store, manifest });
  const { version } = manifest;
  const publish = async () => ({ version });
  await recordRun('publish', ledger, publish, (detail) => ({ inputs: [], detail }));
  const before = await readdir(dataDir);
  await t.throwsAsync(maintenance.drill(silent), {
    message: /^headwind-\w+: only \d+ of \d+ answers equal, for example \w\w /,
  });
  t.deepEqual(await readdir(dataDir), before);
});

test('a backup with a damaged lake is written, fails, and removes no older backup', async (t) => {
  const { maintenance, backupTo, lakeFile } = await aService(t, {
    ...{ KEEP_NEWEST: '1', KEEP_DAILY: '0', KEEP_WEEKLY: '0' },
  });
  t.regex((await maintenance.backup(silent)).summary, /headwind-\w+: \d+ files/);
  await appendFile(await lakeFile(), 'x');
  await t.throwsAsync(maintenance.backup(silent), {
    message: /is written\. Damaged in the lake: flights.*the last good copy, from headwind-/,
  });
  t.is((await listBackups(backupTo)).length, 2);
});

test('the retention removes old backups after a good one', async (t) => {
  const { maintenance, backupTo } = await aService(t, {
    ...{ KEEP_NEWEST: '2', KEEP_DAILY: '0', KEEP_WEEKLY: '0' },
  });
  for (const _ of [1, 2]) await maintenance.backup(silent);
  const [oldest = ''] = await listBackups(backupTo);
  const { summary } = await maintenance.backup(silent);
  t.true(summary.endsWith(`; removed ${oldest.split('/').at(-1)}`), summary);
  t.is((await listBackups(backupTo)).length, 2);
});
