import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import {
  filesOf,
  lakeFilePath,
  monthDir,
  readManifest,
  readManifests,
} from '../../../warehouse/lake/lake.ts';
import { fileSha256 } from '../../../warehouse/ground/hashes.ts';
import {
  aFile,
  aFlight,
  aFolder,
  extractToLake,
  lakeRows,
  REAL_FLIGHTS,
  numberFlights,
  toCsv,
} from '../../helpers/flight-files.ts';

const outcomes = ({ report }: Awaited<ReturnType<typeof extractToLake>>) =>
  report.months.map(({ outcome }) => outcome);

/** Names and bytes of the files in a month's folder, except the manifest. */
async function monthBytes(lakeDir: string, month: string) {
  const folder = monthDir(lakeDir, month);
  const names = (await readdir(folder)).filter((name) => name !== 'manifest.json').toSorted();
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))]));
}

test('the same source again changes nothing', async (t) => {
  const file = await aFile(t, toCsv([aFlight(), aFlight({ FL_DATE: '2018-08-01' })]));
  const first = await extractToLake(t, file);
  const manifestFile = path.join(monthDir(first.lakeDir, '2018-07'), 'manifest.json');
  const before = await stat(manifestFile);
  const second = await extractToLake(t, file, { lakeDir: first.lakeDir });

  t.deepEqual(outcomes(first), ['written', 'written']);
  t.deepEqual(outcomes(second), ['unchanged', 'unchanged']);
  t.is((await stat(manifestFile)).mtimeMs, before.mtimeMs);
  t.like(second.report, { rowsRead: 2, rowsLoaded: 2, rowsRejected: 0 });
});

test('a month with a missing file is written again, other months stay', async (t) => {
  const file = await aFile(t, toCsv([aFlight(), aFlight({ FL_DATE: '2018-08-01' })]));
  const first = await extractToLake(t, file);
  const manifest = await readManifest(first.lakeDir, '2018-07');
  await rm(lakeFilePath(first.lakeDir, '2018-07', manifest!.files.routeHours));
  const second = await extractToLake(t, file, { lakeDir: first.lakeDir });

  t.deepEqual(outcomes(second), ['written', 'unchanged']);
  t.deepEqual(await readManifest(first.lakeDir, '2018-07'), manifest);
});

test('a new code version extracts the months again', async (t) => {
  const file = await aFile(t, toCsv([aFlight()]));
  const { lakeDir } = await extractToLake(t, file, { codeVersion: '1' });

  t.deepEqual(outcomes(await extractToLake(t, file, { lakeDir, codeVersion: '2' })), ['written']);
  t.is((await readManifest(lakeDir, '2018-07'))?.codeVersion, '2');
});

test('a month is replaced completely, without rows of its former source', async (t) => {
  const bad = aFlight({ DEST: '?' });
  const rows = numberFlights([...Array.from({ length: 100 }, () => aFlight()), bad]);
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  const other = await aFile(t, toCsv([aFlight({ DEST: 'SFO' })]));
  await extractToLake(t, other, { lakeDir, force: true });
  const manifest = await readManifest(lakeDir, '2018-07');

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'flights', 'dest'), [{ dest: 'SFO' }]);
  t.deepEqual(
    (await readdir(monthDir(lakeDir, '2018-07'))).toSorted(),
    ['manifest.json', ...filesOf(manifest!).map(({ name }) => name)].toSorted(),
  );
});

test('a file of a month is never overwritten: its name depends on its content', async (t) => {
  const { lakeDir } = await extractToLake(
    t,
    await aFile(t, toCsv([aFlight({ ARR_TIME: '1130' })])),
  );
  const before = await readManifest(lakeDir, '2018-07');
  await extractToLake(t, await aFile(t, toCsv([aFlight({ ARR_TIME: '1131' })])), { lakeDir });
  const after = await readManifest(lakeDir, '2018-07');

  t.not(after?.files.flights?.name, before?.files.flights?.name);
  t.deepEqual(after?.files.routeHours, before?.files.routeHours);
  for (const file of filesOf(after!)) t.true(file.name.startsWith(file.sha256.slice(0, 12)));
});

test('a file rewritten by another process for its manifest is not removed', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([aFlight()])));
  const before = await readManifest(lakeDir, '2018-07');
  const again = lakeFilePath(lakeDir, '2018-07', before!.files.routeHours);
  const replaced = lakeFilePath(lakeDir, '2018-07', before!.files.flights!);
  const later = new Date(Date.now() + 60_000);
  await utimes(again, later, later);
  await extractToLake(t, await aFile(t, toCsv([aFlight({ DEST: 'SFO' })])), { lakeDir });

  const remaining = await readdir(monthDir(lakeDir, '2018-07'));
  t.true(remaining.includes(path.basename(again)));
  t.false(remaining.includes(path.basename(replaced)));
});

test('leftovers of killed runs are removed after an hour', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([aFlight()])));
  const old = path.join(monthDir(lakeDir, '2018-07'), '.old.tmp');
  const recent = path.join(monthDir(lakeDir, '2018-07'), '.recent.tmp');
  await writeFile(old, 'x');
  await writeFile(recent, 'x');
  await utimes(old, new Date('2026-11-01T01:29:59Z'), new Date('2026-11-01T01:29:59Z'));
  await utimes(recent, new Date('2026-11-01T01:30:01Z'), new Date('2026-11-01T01:30:01Z'));
  await extractToLake(t, await aFile(t, toCsv([aFlight({ DEST: 'SFO' })])), { lakeDir });
  const remaining = await readdir(monthDir(lakeDir, '2018-07'));

  t.false(remaining.includes('.old.tmp'));
  t.true(remaining.includes('.recent.tmp'));
});

test('the same source gives the same bytes in any lake', async (t) => {
  const file = path.join(REAL_FLIGHTS, 'pnw_2023_01-10.parquet');
  const first = await extractToLake(t, file);
  const second = await extractToLake(t, file);

  t.deepEqual(
    await monthBytes(first.lakeDir, '2023-07'),
    await monthBytes(second.lakeDir, '2023-07'),
  );
  t.deepEqual(await readManifests(first.lakeDir), await readManifests(second.lakeDir));
});

test('a run killed at any moment leaves every month old or new, and the next run completes', async (t) => {
  const lakeDir = await aFolder(t);
  const file = path.join(REAL_FLIGHTS, 'pnw_2023_01-10.parquet');
  await extractToLake(t, file, { lakeDir, codeVersion: 'v0' });

  for (const [round, delayMs] of [0, 35, 90, 160, 300].entries()) {
    await killedRun(file, lakeDir, `v${round + 1}`, delayMs);
    const manifests = await readManifests(lakeDir);
    t.is(manifests.length, 10);
    for (const manifest of manifests) {
      for (const lakeFile of filesOf(manifest)) {
        const hash = await fileSha256(lakeFilePath(lakeDir, manifest.month, lakeFile));
        t.is(hash, lakeFile.sha256);
      }
    }
  }
  const last = await extractToLake(t, file, { lakeDir, codeVersion: 'v9' });
  t.is(outcomes(last).filter((outcome) => outcome === 'written').length, 10);
});

/** Starts an extraction and kills it `delayMs` after its first month is written. */
async function killedRun(file: string, lakeDir: string, version: string, delayMs: number) {
  const script = path.join(import.meta.dirname, '../../helpers/extract-child.ts');
  const child = spawn(process.execPath, [script, file, lakeDir, version], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  // Read to the end: a closed pipe would end the child before the kill.
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => String(text).includes('written') && resolve());
    child.stdout.once('end', resolve);
  });
  await sleep(delayMs);
  child.kill('SIGKILL');
  await exited;
}
