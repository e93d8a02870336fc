import test from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { JSON_TABLES } from '../../../pipelines/providers/index.ts';
import { HKIA_TABLE } from '../../../pipelines/providers/hkia/table.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { aFile, aFolder, extractToLake } from '../../helpers/flight-files.ts';

const DAY = { date: '2025-10-16', arrival: false, cargo: false };
const FLIGHT = {
  time: '08:15',
  flight: [{ no: 'CX 500', airline: 'CPA' }],
  destination: ['NRT'],
  status: 'Dep 08:20',
};

test('an answer with another layout is refused with a part of it', async (t) => {
  t.is(HKIA_TABLE.rowsOf([{ ...DAY, list: [FLIGHT] }])?.length, 1);
  const layouts = [
    DAY,
    { ...DAY, list: null },
    { ...DAY, list: [null] },
    { ...DAY, list: [{ ...FLIGHT, flight: [{ no: 'CX 500' }] }] },
  ];
  for (const day of layouts) {
    await t.throwsAsync(
      async () => extractToLake(t, await aFile(t, JSON.stringify([day]), 'hkia.json')),
      { instanceOf: SourceFormatError, message: /the layout of the answer has changed: / },
    );
  }
});

test('several days of Hong Kong are combined into one month, and a flight of two files counts once', async (t) => {
  const other = { ...FLIGHT, flight: [{ no: 'CX 504', airline: 'CPA' }], time: '10:15' };
  const day = (date: string, list: object[]) => JSON.stringify([{ ...DAY, date, list }]);
  const first = await aFile(t, day('2025-10-16', [FLIGHT]), 'a.json');
  const second = await aFile(
    t,
    `${day('2025-10-16', [FLIGHT, other])}\n${day('2025-10-17', [FLIGHT])}\n`,
    'b.json',
  );
  const deps = createExtractDeps({
    lakeDir: await aFolder(t),
    codeVersion: 'test',
    jsonTables: JSON_TABLES,
  });
  const report = await extractFile({ path: first, parts: [second] }, deps, () => undefined);
  t.like(report, { rowsRead: 3, rowsLoaded: 3, rowsRejected: 0 });
  t.is(report.source.provider, 'hkia');
});
