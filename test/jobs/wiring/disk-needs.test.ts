import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { estimateDiskNeed } from '../../../jobs/wiring/disk-needs.ts';
import { writeBtsMonth } from '../../../bench/generate/bts-month.ts';
import { btsFileName } from '../../../pipelines/flights/months.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const MONTH = '2025-01';

test('a zip needs space for its content; a month also needs space for its download', async (t) => {
  const dataDir = await tempDir(t);
  const folder = path.join(dataDir, 'downloads');
  await mkdir(folder);
  const file = path.join(folder, btsFileName(MONTH));
  const { bytes, csvBytes } = await writeBtsMonth(file, { month: MONTH, rows: 20_000 });
  const ofFile = await estimateDiskNeed({ name: 'extract-file', data: { path: file } }, dataDir);
  t.true(ofFile > csvBytes && ofFile < csvBytes + bytes + 5e6, String(ofFile));
  const needOf = (source: object) =>
    estimateDiskNeed({ name: 'extract-month', data: { month: MONTH, source } }, dataDir);
  t.is(await needOf({ kind: 'folder', path: folder }), ofFile);
  t.true((await needOf({ kind: 'url', base: 'http://x' })) > ofFile);
});

test('a month that was never downloaded counts as a busy month of BTS', async (t) => {
  const dataDir = await tempDir(t);
  const data = { month: MONTH, source: { kind: 'url', base: 'http://x' } };
  t.true((await estimateDiskNeed({ name: 'extract-month', data }, dataDir)) > 335_000_000);
});

test('a rebuild and a publish need at least the size of the warehouse', async (t) => {
  const dataDir = await tempDir(t);
  await writeFile(path.join(dataDir, 'warehouse.duckdb'), Buffer.alloc(100_000_000));
  for (const name of ['rebuild', 'publish', 'nightly']) {
    t.true((await estimateDiskNeed({ name, data: {} }, dataDir)) > 100_000_000, name);
  }
  t.true((await estimateDiskNeed({ name: 'drop-month', data: {} }, dataDir)) < 10_000_000);
});

test('a rebuild needs space for each new file of a provider, and for one copy of the largest present file', async (t) => {
  const dataDir = await tempDir(t);
  await writeFile(path.join(dataDir, 'warehouse.duckdb'), Buffer.alloc(100_000_000));
  const need = () => estimateDiskNeed({ name: 'rebuild', data: {} }, dataDir);
  const before = await need();
  await mkdir(path.join(dataDir, 'lake', 'providers', 'zrh'), { recursive: true });
  t.true((await need()) > before + 20_000_000);
  await mkdir(path.join(dataDir, 'providers', 'zrh'), { recursive: true });
  await writeFile(path.join(dataDir, 'providers', 'zrh', 'warehouse.duckdb'), 'present');
  t.is(await need(), before);
});
