import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  providerLines,
  providerStatuses,
  type ProviderStatus,
} from '../../../../jobs/cli/status/providers.ts';
import { lastRefusals } from '../../../../jobs/cli/status/refusals.ts';
import { monthDir } from '../../../../warehouse/lake/lake.ts';
import type { Run } from '../../../../warehouse/lake/ledger.ts';
import { dataPaths, providerLakeDir, providerPaths } from '../../../../warehouse/paths.ts';
import { aFile, aFolder, extractToLake } from '../../../helpers/flight-files.ts';
import { aReport } from '../../helpers/fake-steps.ts';

const OWN = `flight_date,airline,flight,origin,dest,scheduled_departure,actual_departure
2025-03-05,AF,1681,LHR,CDG,08:15,08:20
2025-04-05,AF,1681,LHR,CDG,08:15,08:20
`;

/** Paths of a data folder whose lake has own flights of March and April 2025. */
async function ownFlights(t: ExecutionContext) {
  const paths = dataPaths(await aFolder(t));
  await extractToLake(t, await aFile(t, OWN), { lakeDir: paths.lakeDir });
  return paths;
}

test('each provider other than BTS has one line with its months and years', async (t) => {
  t.deepEqual(await providerStatuses(dataPaths(await aFolder(t)), []), []);
  const statuses = await providerStatuses(await ownFlights(t), []);
  t.like(statuses, { length: 1, 0: { name: 'own', months: { length: 2 } } });
  const [own] = statuses as [ProviderStatus];
  const [march, april] = own.months.map((one) => ({ ...one, state: 'loaded' as const }));
  const years = ['2017-12', '2018-12'].map((month) => ({
    ...{ ...march!, month, periodMonths: 12 as const },
  }));
  t.deepEqual(
    providerLines([
      { name: 'own', months: [march!, april!] },
      { name: 'caa', months: [...years, march!], inaccurate: 'skill -0.1' },
    ]),
    [
      'Others   own: 2 months, 2025-03 to 2025-04; 2 rows',
      '         caa: 2 years, 2017 to 2018; 1 month, 2025-03; 3 rows; accuracy failed: skill -0.1',
    ],
  );
});

test('the status of a provider says why its accuracy failed', async (t) => {
  const paths = await ownFlights(t);
  const inaccurate = async (state: 'passed' | 'failed') => {
    const { accuracyFile } = providerPaths(paths, 'own');
    await mkdir(path.dirname(accuracyFile), { recursive: true });
    const accuracy = { state, why: 'a constant forecast is better' };
    await writeFile(accuracyFile, JSON.stringify({ inputs: '', accuracy }));
    return (await providerStatuses(paths, []))[0]?.inaccurate;
  };
  t.is(await inaccurate('failed'), 'a constant forecast is better');
  t.is(await inaccurate('passed'), undefined);
});

test('damaged, refused and waiting months of a provider are named', async (t) => {
  const paths = await ownFlights(t);
  const month = monthDir(providerLakeDir(paths.lakeDir, 'own'), '2025-04');
  await writeFile(path.join(month, 'manifest.json'), '{}');
  const detail = aReport('own.csv', ['2025-05'], ['2025-05']);
  detail.source.provider = 'own';
  const run = { step: 'extract', outcome: 'done', finishedAt: '2026-12-01', detail };
  t.deepEqual(providerLines(await providerStatuses(paths, [run as unknown as Run])), [
    'Others   own: 1 month, 2025-03; 1 rows; not loaded yet, make features: 2025-03; damaged, load the file again: 2025-04; refused: 2025-05 (make status PROVIDER=own MONTH=2025-05)',
  ]);
});

test('a refused month of another provider is not a refused month of BTS', (t) => {
  const detail = aReport('caa.csv', ['2019-12'], ['2019-12']);
  const run = { step: 'extract', outcome: 'done', detail } as unknown as Run;
  t.is(lastRefusals([run], 'flights').size, 1);
  detail.source.provider = 'caa';
  t.is(lastRefusals([run], 'flights').size, 0);
});
