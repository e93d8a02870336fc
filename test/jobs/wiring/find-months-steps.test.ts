import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { createFindMonths } from '../../../jobs/wiring/find-months-steps.ts';
import { btsFileName } from '../../../pipelines/flights/months.ts';
import { writeRun } from '../../../warehouse/lake/ledger.ts';
import { readManifest } from '../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { aFile, aFlight, aFolder, extractToLake, toCsv } from '../../helpers/flight-files.ts';
import { aReport } from '../helpers/fake-steps.ts';

const KINDS = {
  '2018-01': 'sample',
  '2018-02': 'whole',
  '2018-03': 'partial',
  '2018-04': 'partial',
  '2018-05': 'sample',
};

/** A data folder whose lake and warehouse contain these months. The file of May has the name that BTS uses. */
async function aDataFolder(t: Parameters<typeof aFolder>[0]) {
  const paths = dataPaths(await aFolder(t));
  const { lakeDir } = paths;
  const loaded = [];
  for (const [month, kind] of Object.entries(KINDS)) {
    const name = month === '2018-05' ? btsFileName(month) : `${month}.csv`;
    const file = await aFile(t, toCsv([aFlight({ FL_DATE: `${month}-01` })]), name);
    await extractToLake(t, file, { lakeDir });
    const manifest = await readManifest(lakeDir, month);
    loaded.push({ month, sourceSha256: manifest?.source.sha256, completeness: { kind } });
  }
  await mkdir(path.dirname(paths.warehouseFile), { recursive: true });
  await writeFile(paths.warehouseFile, '');
  await writeFile(paths.snapshotFile, JSON.stringify({ months: loaded, levels: [] }));
  return paths;
}

test('parts and samples are wanted, unless the file of the server is loaded or was refused', async (t) => {
  const paths = await aDataFolder(t);
  const { readCoverage } = createFindMonths(paths, undefined, () => new Date());
  t.deepEqual((await readCoverage()).incompleteMonths, ['2018-01', '2018-03', '2018-04']);

  const at = '2026-11-01T10:00:00.000Z';
  await writeRun(paths.runsDir, {
    id: '20261101T100000000Z-extract-1',
    step: 'extract',
    outcome: 'done',
    startedAt: at,
    finishedAt: at,
    codeVersion: 'test',
    inputs: [],
    detail: aReport(btsFileName('2018-03'), ['2018-03'], ['2018-03']),
  });
  t.deepEqual((await readCoverage()).incompleteMonths, ['2018-01', '2018-04']);
});
