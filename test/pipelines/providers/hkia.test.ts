import test from 'ava';
import { HKIA_TABLE } from '../../../pipelines/providers/hkia/table.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { aFile, extractToLake } from '../../helpers/flight-files.ts';

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
