import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { readDiskSpace } from '../../../jobs/processes/disk-space.ts';
import { tidy } from '../../../jobs/wiring/tidy.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createWaitLogger } from '../../../jobs/cli/commands/worker.ts';

const NOW = new Date('2026-11-01T02:30:00Z');
const OPTIONS = { keepDays: 90, keepRunDays: 400, now: () => NOW };
const OLD = new Date('2026-06-01T00:00:00Z');

test('old downloads and rows of refused files are removed; new files and current data stay', async (t) => {
  const dataDir = await tempDir(t);
  const month = 'lake/flights/year=2018/month=07';
  const files = {
    'downloads/old.zip': OLD,
    'downloads/new.zip': NOW,
    [`${month}/aaa.rejects.parquet`]: OLD,
    [`${month}/aaa.flights.parquet`]: OLD,
    'lake/flights/bbb.undated.parquet': OLD,
  };
  for (const [name, at] of Object.entries(files)) {
    const file = path.join(dataDir, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'x');
    await utimes(file, at, at);
  }
  t.deepEqual((await tidy({ dataDir, ...OPTIONS, keepDays: 0 })).removed, []);
  const { removed } = await tidy({ dataDir, ...OPTIONS });
  t.deepEqual(removed.map((file) => path.relative(dataDir, file)).toSorted(), [
    'downloads/old.zip',
    'lake/flights/bbb.undated.parquet',
    `${month}/aaa.rejects.parquet`,
  ]);
});

test('a large log is rotated while it is written, and three former logs stay', async (t) => {
  const dataDir = await tempDir(t);
  const folder = path.join(dataDir, 'logs');
  await mkdir(folder);
  for (const name of ['worker.log.1', 'worker.log.2', 'worker.log.3']) {
    await writeFile(path.join(folder, name), name);
  }
  await writeFile(path.join(folder, 'worker.log'), 'x'.repeat(20_000_001));
  await writeFile(path.join(folder, 'api.log'), 'small');
  const { rotated } = await tidy({ dataDir, ...OPTIONS });
  t.deepEqual(rotated, [path.join(folder, 'worker.log')]);
  t.deepEqual((await readdir(folder)).toSorted(), [
    ...['api.log', 'worker.log', 'worker.log.1', 'worker.log.2', 'worker.log.3'],
  ]);
  t.is(await readFile(path.join(folder, 'worker.log'), 'utf8'), '');
  t.is(await readFile(path.join(folder, 'worker.log.3'), 'utf8'), 'worker.log.2');
  t.true(((await readDiskSpace(dataDir))?.freeBytes ?? 0) > 0);
});

test('while a job waits, the process that has the warehouse open is logged at once, then every minute', (t) => {
  const lines: unknown[] = [];
  let ms = 0;
  const logWait = createWaitLogger({ warn: (facts: unknown) => lines.push(facts) }, () => ms);
  for (; ms <= 60_000; ms += 5_000) logWait('python3 (process 7)');
  logWait('duckdb (process 8)');
  t.deepEqual(lines, [
    { holder: 'python3 (process 7)' },
    { holder: 'python3 (process 7)' },
    { holder: 'duckdb (process 8)' },
  ]);
});
