import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { monthDir } from '../../../warehouse/lake/lake.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { verifyFiles } from '../../../warehouse/lake/verify.ts';
import {
  aFile,
  aFlight,
  aFolder,
  aParquet,
  extractToLake,
  toCsv,
} from '../../helpers/flight-files.ts';

const flip = (bytes: Buffer, at: number) => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

test('a flipped bit in any lake file is detected, and intact files are not reported', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv([aFlight()])));
  const places = { lakeDir, storeDir: await aFolder(t), downloadsDir: await aFolder(t) };
  const flights = async () => (await verifyFiles(places)).find(({ what }) => what === 'flights');
  t.like(await flights(), { checked: 1, damaged: [] });
  const folder = monthDir(lakeDir, '2018-07');
  for (const name of await readdir(folder)) {
    const bytes = await readFile(path.join(folder, name));
    for (const share of [0.1, 0.5, 0.9]) {
      await writeFile(path.join(folder, name), flip(bytes, Math.floor(bytes.length * share)));
      t.like(await flights(), { damaged: ['2018-07'] }, `${name} at ${share}`);
    }
    await writeFile(path.join(folder, name), bytes);
  }
  t.like(await flights(), { damaged: [] });
});

test('a changed download is detected', async (t) => {
  const downloadsDir = await aFolder(t);
  await mkdir(downloadsDir, { recursive: true });
  await writeFile(path.join(downloadsDir, 'a.zip'), 'abc');
  await writeFile(path.join(downloadsDir, 'a.zip.json'), JSON.stringify({ sha256: sha256('abc') }));
  await writeFile(path.join(downloadsDir, 'b.zip'), 'abd');
  await writeFile(path.join(downloadsDir, 'b.zip.json'), JSON.stringify({ sha256: sha256('abc') }));
  const results = await verifyFiles({
    lakeDir: await aFolder(t),
    storeDir: await aFolder(t),
    downloadsDir,
  });
  t.like(
    results.find(({ what }) => what === 'downloads'),
    { checked: 2, bytes: 3, damaged: ['b.zip'] },
  );
});

test('a Parquet file with a sha256 file is refused after any flipped bit', async (t) => {
  const columns = Object.entries(aFlight()).map(([name, value]) => `'${value}' as "${name}"`);
  const file = await aParquet(t, `select ${columns.join(', ')} from range(50)`);
  const bytes = await readFile(file);
  await writeFile(`${file}.sha256`, `${sha256(bytes)}  ${path.basename(file)}\n`);
  const lakeDir = await aFolder(t);
  const deps = createExtractDeps({ lakeDir, codeVersion: 'test' });
  for (let n = 1; n < 12; n++) {
    await writeFile(file, flip(bytes, Math.floor((bytes.length * n) / 12)));
    await t.throwsAsync(
      extractFile({ path: file }, deps, () => undefined),
      {
        name: 'SourceFormatError',
      },
    );
  }
  await writeFile(file, bytes);
  const { months } = await extractFile({ path: file }, deps, () => undefined);
  t.deepEqual(
    months.map(({ outcome }) => outcome),
    ['written'],
  );
});
