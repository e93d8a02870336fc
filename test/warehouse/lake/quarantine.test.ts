import { appendFile } from 'node:fs/promises';
import test from 'ava';
import { readManifest } from '../../../warehouse/lake/lake.ts';
import { quarantineFile, sampleRejects } from '../../../warehouse/lake/quarantine.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';
import { aFile, aFlight, extractToLake, numberFlights, toCsv } from '../../helpers/flight-files.ts';

test('the quarantine of a month returns its rejected rows; a damaged file is an error', async (t) => {
  const rows = numberFlights([
    ...Array.from({ length: 199 }, () => aFlight()),
    aFlight({ DEST: '?' }),
  ]);
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  const manifest = await readManifest(lakeDir, '2018-07');

  const file = await quarantineFile(lakeDir, '2018-07', manifest);
  t.deepEqual(await sampleRejects(file!, 3), [
    { line: 201, column: 'dest', value: '?', reason: 'invalid_dest' },
  ]);
  await appendFile(file!, ' ');
  await t.throwsAsync(quarantineFile(lakeDir, '2018-07', manifest), {
    instanceOf: CorruptFileError,
  });
});
