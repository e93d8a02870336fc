import { rm, writeFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import type { MeasureRequest } from '../../../jobs/processes/train-in-child.ts';
import {
  createRecordMeasurement,
  readAccuracy,
} from '../../../jobs/wiring/record-accuracy-steps.ts';
import type { RecordAccuracy } from '../../../models/record-accuracy.ts';
import { dataPaths, providerPaths } from '../../../warehouse/paths.ts';
import { monthDir } from '../../../warehouse/lake/lake.ts';
import { aFile, aFolder, extractToLake, toCsv } from '../../helpers/flight-files.ts';

const silent = () => undefined;
const PASSED: RecordAccuracy = { state: 'passed', why: 'it beats' };

/** A lake of the generic form: three flights each morning and evening, from January to March 2025. */
async function aLake(t: ExecutionContext) {
  const rows = Array.from({ length: 85 }, (_, day) => {
    const flight_date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    return ['07', '19'].flatMap((hour) =>
      ['AF', 'BA', 'U2'].map((airline) => ({
        ...{ flight_date, airline, flight: hour, origin: 'LHR', dest: 'CDG' },
        scheduled_arrival: `${hour}:20`,
        actual_arrival: day % (hour === '07' ? 10 : 3) === 2 ? `${hour}:59` : `${hour}:20`,
        ...{ scheduled_departure: `${hour}:00`, actual_departure: `${hour}:00` },
      })),
    );
  }).flat();
  const paths = dataPaths(await aFolder(t));
  await extractToLake(t, await aFile(t, toCsv(rows)), { lakeDir: paths.lakeDir });
  return { paths, own: providerPaths(paths, 'own') };
}

test('a record is measured in a separate process, from months that the forecasts had not seen', async (t) => {
  const { paths, own } = await aLake(t);
  const { measureRecords } = createRecordMeasurement({ paths, codeVersion: '1' });
  const report = await measureRecords(silent);
  t.is(report.problems, undefined);
  t.is(report.measured?.['own']?.state, 'unmeasured');
  t.regex(report.measured?.['own']?.why ?? '', /162 flights in 26 days|too few to decide/);
  t.like((await readAccuracy(own))?.measured, {
    trainedOn: { first: '2025-01', last: '2025-01' },
    testedOn: ['2025-02', '2025-03'],
    share: 1,
  });
});

test('only changed months or changed code are measured again', async (t) => {
  const { paths, own } = await aLake(t);
  const requests: MeasureRequest[] = [];
  const measure = (codeVersion: string) =>
    createRecordMeasurement({ paths, codeVersion }, async (request) => {
      requests.push(request);
      return PASSED;
    }).measureRecords(silent);
  const report = { measured: { own: PASSED } };
  t.deepEqual(await measure('1'), report);
  t.deepEqual(await measure('1'), {});
  t.deepEqual(await measure('2'), report);
  await rm(monthDir(own.lakeDir, '2025-03'), { recursive: true });
  t.deepEqual(await measure('2'), report);
  t.deepEqual(
    requests.map(({ periods }) => periods.map(({ from }) => from)),
    [
      ['2025-01-01', '2025-02-01', '2025-03-01'],
      ['2025-01-01', '2025-02-01', '2025-03-01'],
      ['2025-01-01', '2025-02-01'],
    ],
  );
  await writeFile(own.accuracyFile, '{');
  t.is(await readAccuracy(own), undefined);
  t.deepEqual(await measure('2'), report);
});

test('if a measurement fails, the former figures stay and the next run tries again', async (t) => {
  const { paths, own } = await aLake(t);
  const first = createRecordMeasurement({ paths, codeVersion: '1' }, async () => PASSED);
  await first.measureRecords(silent);
  const failing = createRecordMeasurement({ paths, codeVersion: '2' }, () =>
    Promise.reject(new Error('no memory')),
  );
  for (const _ of [1, 2]) {
    t.deepEqual(await failing.measureRecords(silent), { problems: { own: 'no memory' } });
  }
  t.deepEqual(await readAccuracy(own), PASSED);
});
