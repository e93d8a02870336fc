import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import test from 'ava';
import { freeSpace } from '../../../../jobs/cli/commands/free-space.ts';
import { readConfig } from '../../../../jobs/config.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const NOW = new Date('2026-11-01T02:30:00Z');
const OLD = new Date('2026-11-01T00:00:00Z');
/** A leftover of another machine, which is deleted after a day. */
const LEFTOVER = '.0123456789ab-77-00000000-0000-4000-8000-000000000000.tmp';
const TWO_DAYS_OLD = new Date('2026-10-30T02:30:00Z');

test('downloads and temporary files are deleted, other files stay, and their sizes are listed', async (t) => {
  const dataDir = await tempDir(t);
  const files = [
    ['downloads/2025_1.zip', 3_000_000, OLD],
    ['downloads/2025_2.zip.part', 1_000, NOW],
    [LEFTOVER, 2_000_000, TWO_DAYS_OLD],
    ['warehouse.duckdb', 5_000_000, OLD],
  ] as const;
  await mkdir(path.join(dataDir, 'downloads'));
  for (const [name, bytes, at] of files) {
    await writeFile(path.join(dataDir, name), Buffer.alloc(bytes));
    await utimes(path.join(dataDir, name), at, at);
  }
  const out = new PassThrough();
  const config = (minFree: string) => readConfig({ DATA_DIR: dataDir, MIN_FREE_MB: minFree });
  t.is(await freeSpace({ config: config('0'), out, now: () => NOW }), 0);
  t.is(await freeSpace({ config: config('9999999'), out, now: () => NOW }), 1);
  t.deepEqual(await readdir(path.join(dataDir, 'downloads')), ['2025_2.zip.part']);
  t.deepEqual((await readdir(dataDir)).toSorted(), ['downloads', 'warehouse.duckdb']);
  const text = String(out.read());
  t.regex(
    text,
    /^deleted \.0123456789ab-77-[0-]+4000-8000-0+\.tmp \(2\.0 MB\)\ndeleted downloads\/2025_1\.zip \(3\.0 MB\)\n2 files, 5\.0 MB\n/,
  );
  t.regex(text, /warehouse\.duckdb +│ 5\.0 MB +│ make rebuild writes it again/);
  t.regex(text, / of .* are free; jobs run only if 64\.0 MB stay free\n/);
});
