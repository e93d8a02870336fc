/** `node append-child.ts LAKE NIGHT`: freezes one night after the other, from this night on, until it is killed. */
import { writeFile } from 'node:fs/promises';
import { addDays } from '../../../../warehouse/ground/dates.ts';
import { appendNight } from '../../../../warehouse/lake/forecasts/append-night.ts';
import { folderLake } from '../../../../warehouse/lake/shared/lake-home.ts';

const [lakeDir = '', first = ''] = process.argv.slice(2);
for (let night = first; ; night = addDays(night, 1)) {
  await appendNight({
    ...{ lakeDir, home: folderLake((_, work) => work()), night },
    freeze: async (file) => {
      await writeFile(file, `forecasts of ${night}`.repeat(1_000));
      const frozenAt = `${night}T03:20:00.000Z`;
      return { rows: 1, frozenAt, storeVersion: 'store', codeVersion: 'code' };
    },
  });
  console.log(night);
}
