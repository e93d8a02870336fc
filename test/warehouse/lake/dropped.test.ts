import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { isDropped, listDropped } from '../../../warehouse/lake/dropped.ts';
import { monthDir } from '../../../warehouse/lake/lake.ts';
import { removeMonth } from '../../../warehouse/lake/place-month.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../helpers/flight-files.ts';

const JULY = { month: '2018-07', tree: 'flights' } as const;

test('a damaged month with former versions is not dropped, until an operator drops it', async (t) => {
  const lakeDir = await aFolder(t);
  let minutes = 0;
  const now = () => new Date(Date.UTC(2026, 10, 1, 2, minutes++));
  const options = { lakeDir, keepVersions: 3, now };
  const deps = createExtractDeps({ ...options, codeVersion: 'test' });
  for (const dest of ['LAX', 'SFO']) {
    const file = await aFile(t, toCsv([aFlight({ DEST: dest })]), `${dest}.csv`);
    await extractFile({ path: file, force: true }, deps, () => undefined);
  }
  await appendFile(path.join(monthDir(lakeDir, JULY.month), 'manifest.json'), ' ');
  t.deepEqual(await listDropped(lakeDir), []);
  t.false(await isDropped(lakeDir, JULY));
  await removeMonth(JULY, options);
  t.deepEqual(await listDropped(lakeDir), [{ month: '2018-07' }]);
  t.true(await isDropped(lakeDir, JULY));
  t.false(await isDropped(lakeDir, { ...JULY, month: '2018-08' }));
});
