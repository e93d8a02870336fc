import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { backtestLevels } from '../../../../jobs/cli/commands/backtest-levels.ts';
import type { LevelBacktest } from '../../../../pipelines/model/level-backtest.ts';
import { aCause } from '../../../helpers/delay-causes.ts';
import { aFile, toCsv } from '../../../helpers/flight-files.ts';

/** Two airlines at an airport in every month of 2020 to 2022: 10 % and 30 % of their flights are late. */
function aTable(t: ExecutionContext): Promise<string> {
  const rows = Array.from({ length: 36 }, (_, n) =>
    [
      { carrier: 'AA', arr_del15: '100' },
      { carrier: 'DL', arr_del15: '300' },
    ].map((row) => {
      const [year, month] = [2020 + Math.floor(n / 12), (n % 12) + 1];
      return aCause({ year: `${year}`, month: `${month}`, arr_flights: '1000', ...row });
    }),
  );
  return aFile(t, toCsv(rows.flat()));
}

async function run(file: string, cut: string, json = false) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const request = { file, cut, codeVersion: 'test', json };
  const code = await backtestLevels({ out, err }, request);
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

test('levels are compared with both baselines by year, as a table and as JSON', async (t) => {
  const file = await aTable(t);
  const { code, out, err } = await run(file, '2022-11-01');
  t.is(code, 0);
  t.regex(
    out,
    /^4 months of an airline at an airport, from 2022-11 to 2022-12; each month is forecast from the data/,
  );
  for (const name of ['the same month last year', 'the last twelve months']) {
    for (const year of ['2022', 'all']) {
      t.regex(out, new RegExp(`│ ${name} +│ ${year} +│ +3,980 │ 0\\.\\d{5} +│ .* ± 0\\.\\d{5} +│`));
    }
  }
  t.regex(out, /│ levels +│ 2022 +│ +2 │ +2 │ 0\.\d{3} +│/);
  t.regex(err, /^reading flights\.csv\n/);
  const json = await run(file, '2022-12-01', true);
  const { months, cells } = JSON.parse(json.out) as LevelBacktest;
  t.deepEqual([months, cells], [['2022-12'], 2]);
});

test('a missing file is an error that names the file', async (t) => {
  await t.throwsAsync(run('/nowhere/levels.csv', '2022-12-01'), {
    message: 'Nothing was loaded: /nowhere/levels.csv does not exist',
  });
});
