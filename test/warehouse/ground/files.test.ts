import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { listAllEntries, listNames, statIfExists } from '../../../warehouse/ground/files.ts';
import { listWeatherMonths } from '../../../warehouse/lake/weather-lake.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { listFilesBelow } from '../../../warehouse/lake/backup-files.ts';

test('a missing folder has no names; an unreadable folder is an error', async (t) => {
  const folder = await aFolder(t);
  await writeFile(path.join(folder, 'a'), '');
  t.deepEqual(await listNames(folder), ['a']);
  t.deepEqual(await listNames(path.join(folder, 'none')), []);
  t.is(await statIfExists(path.join(folder, 'none')), undefined);
  const unreadable = path.join(folder, 'x'.repeat(300));
  await t.throwsAsync(listNames(unreadable), { code: 'ENAMETOOLONG' });
  await t.throwsAsync(listAllEntries(unreadable), { code: 'ENAMETOOLONG' });
  await t.throwsAsync(statIfExists(unreadable), { code: 'ENAMETOOLONG' });
});

test('a folder deleted during a listing does not affect the other folders', async (t) => {
  const lakeDir = await aFolder(t);
  const source = path.join(lakeDir, 'weather', 'source=archive');
  const stays = path.join(source, 'year=2018', 'month=07');
  await mkdir(stays, { recursive: true });
  await writeFile(path.join(stays, 'manifest.json'), '');
  for (let round = 1; round <= 5; round++) {
    const going = Array.from({ length: 100 }, (_, at) => path.join(source, `year=${1900 + at}`));
    await Promise.all(
      going.map((folder) => mkdir(path.join(folder, 'month=01'), { recursive: true })),
    );
    const [months, files] = await Promise.all([
      listWeatherMonths(lakeDir),
      listFilesBelow(lakeDir),
      ...going.map((folder) => rm(folder, { recursive: true })),
    ]);
    t.deepEqual(months, [{ source: 'archive', month: '2018-07' }]);
    t.deepEqual(files, [path.relative(lakeDir, path.join(stays, 'manifest.json'))]);
  }
});
