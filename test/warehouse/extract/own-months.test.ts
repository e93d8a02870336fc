import test, { type ExecutionContext } from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../helpers/flight-files.ts';

/** Two flights in every month, of the given distance in miles. */
function aYear(t: ExecutionContext, months: string[], distance: number): Promise<string> {
  const rows = months.flatMap((month) =>
    ['01', '02'].map((day) => aFlight({ FL_DATE: `${month}-${day}`, DISTANCE: String(distance) })),
  );
  return aFile(t, toCsv(rows));
}

test('only months from replaceable sources are replaced; without replaceable sources, all months stay', async (t) => {
  const deps = createExtractDeps({ lakeDir: await aFolder(t), codeVersion: 'test' });
  const extract = async (path: string, replaces?: string[]) =>
    extractFile({ path, ...(replaces && { replaces }) }, deps, () => undefined);
  const former = await extract(await aYear(t, ['2018-01', '2018-02'], 100));
  await extract(await aYear(t, ['2018-02'], 200));
  const months = ['2018-01', '2018-02', '2018-03'];
  const present = await extract(await aYear(t, months, 300), [former.source.sha256]);
  t.deepEqual(
    present.months.map(({ outcome }) => outcome),
    ['written', 'refused', 'written'],
  );
  const again = await extract(await aYear(t, months, 300), []);
  t.deepEqual(
    again.months.map(({ outcome }) => outcome),
    ['unchanged', 'refused', 'unchanged'],
  );
});
