import test, { type ExecutionContext } from 'ava';
import { forecastLevelCells } from '../../../warehouse/build/level-cells.ts';
import { aFile, aFolder, extractToLake } from '../../helpers/flight-files.ts';

/**
 * Two airlines at one airport in 30 months: one in ten flights of AA is late and three in ten of DL; `later` replaces
 * both from April 2022.
 */
async function aLake(t: ExecutionContext, later: number): Promise<string> {
  const months = Array.from({ length: 30 }, (_, n) => [2020 + Math.floor(n / 12), (n % 12) + 1]);
  const rows = months.flatMap(([year = 0, month = 0]) =>
    [['AA', 100] as const, ['DL', 300] as const].map(([carrier, usual]) => {
      const late = year === 2022 && month > 3 ? later : usual;
      return `${year},${month},${carrier},JFK,1000,${late},0,0`;
    }),
  );
  const header = 'year,month,carrier,airport,arr_flights,arr_del15,arr_cancelled,arr_diverted';
  const lakeDir = await aFolder(t);
  await extractToLake(t, await aFile(t, [header, ...rows, ''].join('\n')), { lakeDir });
  return lakeDir;
}

test('an airline at an airport is forecast from the months published before its month began', async (t) => {
  const cells = await forecastLevelCells(await aLake(t, 100), '2022-06');
  t.deepEqual(
    cells.map(({ carrier, arrived_count, late_count }) => [carrier, arrived_count, late_count]),
    [
      ['AA', 1000, 100],
      ['DL', 1000, 100],
    ],
  );
  for (const forecast of ['levels', 'last_year', 'last_twelve'] as const) {
    const [aa = 1, dl = 0] = cells.map((cell) => cell[forecast]);
    t.true(aa > 0.08 && aa < 0.2, `${forecast} ${aa}`);
    t.true(dl > 0.2 && dl < 0.32, `${forecast} ${dl}`);
  }
});

test('a forecast does not depend on its own month or on months not yet published', async (t) => {
  const forecast = async (later: number) =>
    (await forecastLevelCells(await aLake(t, later), '2022-06')).map(
      ({ levels, last_year, last_twelve }) => [levels, last_year, last_twelve],
    );
  t.deepEqual(await forecast(900), await forecast(0));
});
