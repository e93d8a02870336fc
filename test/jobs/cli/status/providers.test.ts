import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { providerLines, providerStatuses } from '../../../../jobs/cli/status/providers.ts';
import { lastRefusals } from '../../../../jobs/cli/status/refusals.ts';
import { monthDir } from '../../../../warehouse/lake/lake.ts';
import type { Run } from '../../../../warehouse/lake/ledger.ts';
import { providerLakeDir } from '../../../../warehouse/paths.ts';
import { aFile, aFolder, extractToLake } from '../../../helpers/flight-files.ts';
import { aReport } from '../../helpers/fake-steps.ts';

const OWN = `flight_date,airline,flight,origin,dest,scheduled_departure,actual_departure
2025-03-05,AF,1681,LHR,CDG,08:15,08:20
2025-04-05,AF,1681,LHR,CDG,08:15,08:20
`;

test('each provider other than BTS has one line with its months', async (t) => {
  const lakeDir = await aFolder(t);
  t.deepEqual(await providerStatuses(lakeDir), []);
  await extractToLake(t, await aFile(t, OWN), { lakeDir });
  const statuses = await providerStatuses(lakeDir);
  const months = { months: 2, first: '2025-03', last: '2025-04' };
  t.deepEqual(statuses, [{ name: 'own', ...months, rows: 2, damaged: [] }]);
  t.deepEqual(providerLines([...statuses, { ...statuses[0]!, name: 'zrh' }]), [
    'Others   own: 2 months, 2025-03 to 2025-04, 2 rows',
    '         zrh: 2 months, 2025-03 to 2025-04, 2 rows',
  ]);
});

test('a damaged month of a provider is named', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, OWN));
  const month = monthDir(providerLakeDir(lakeDir, 'own'), '2025-04');
  await writeFile(path.join(month, 'manifest.json'), '{}');
  t.deepEqual(providerLines(await providerStatuses(lakeDir)), [
    'Others   own: 1 months, 2025-03 to 2025-03, 1 rows; damaged, load the file again: 2025-04',
  ]);
});

test('a refused month of another provider is not a refused month of BTS', (t) => {
  const detail = aReport('caa.csv', ['2019-12'], ['2019-12']);
  const run = { step: 'extract', outcome: 'done', detail } as unknown as Run;
  t.is(lastRefusals([run], 'flights').size, 1);
  detail.source.provider = 'caa';
  t.is(lastRefusals([run], 'flights').size, 0);
});
