import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { entriesBelow, namesIn, statIfThere } from '../../../warehouse/ground/files.ts';
import { filesBelow } from '../../../warehouse/lake/files-below.ts';
import { weatherMonths } from '../../../warehouse/lake/weather-lake.ts';
import { aFolder } from '../../helpers/flight-files.ts';

test('a folder that is missing has no names; one that cannot be read is not taken for empty', async (t) => {
  const folder = await aFolder(t);
  await writeFile(path.join(folder, 'a'), '');
  t.deepEqual(await namesIn(folder), ['a']);
  t.deepEqual(await namesIn(path.join(folder, 'none')), []);
  t.is(await statIfThere(path.join(folder, 'none')), undefined);
  const unreadable = path.join(folder, 'x'.repeat(300));
  await t.throwsAsync(namesIn(unreadable), { code: 'ENAMETOOLONG' });
  await t.throwsAsync(entriesBelow(unreadable), { code: 'ENAMETOOLONG' });
  await t.throwsAsync(statIfThere(unreadable), { code: 'ENAMETOOLONG' });
});

test('a folder that vanishes while others are read does not empty the list', async (t) => {
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
      weatherMonths(lakeDir),
      filesBelow(lakeDir),
      ...going.map((folder) => rm(folder, { recursive: true })),
    ]);
    t.deepEqual(months, [{ source: 'archive', month: '2018-07' }]);
    t.deepEqual(files, [path.relative(lakeDir, path.join(stays, 'manifest.json'))]);
  }
});
