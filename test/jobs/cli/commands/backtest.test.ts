import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { backtestTables } from '../../../../jobs/cli/commands/backtest-tables.ts';
import { parseDay } from '../../../../jobs/cli/program/arguments.ts';
import { backtestFiles } from '../../../../jobs/wiring/backtest-files.ts';
import { HOURS, METHODS } from '../../../../pipelines/model/forecasts.ts';
import { SourceFormatError } from '../../../../warehouse/errors.ts';
import {
  aFile,
  aFlight,
  aFolder,
  aParquet,
  numberFlights,
  toCsv,
} from '../../../helpers/flight-files.ts';
import { oncePerRun } from '../../../helpers/once-per-run.ts';
import { startCommand, until } from '../../helpers/command.ts';
import {
  serialTestWithXgboost as serialTest,
  testWithXgboost as test,
} from '../../../models/helpers/test-with-xgboost.ts';

const MAIN = fileURLToPath(new URL('../../../../jobs/main.ts', import.meta.url));
const CUT = '2018-04-01';

/**
 * Number of flights of an airline on a route in an hour. Each day has twelve combinations of airline, route and hour.
 */
const A_DAY = 5;

/**
 * Flights of three airlines on two routes, morning and evening, on every day of five months. `later` changes the delays
 * after the cut.
 */
async function aHistory(t: ExecutionContext, later: (delay: number) => number = (delay) => delay) {
  const rows: Record<string, string>[] = [];
  for (let day = 0; day < 151; day++) {
    const date = new Date(Date.UTC(2018, 0, 1 + day)).toISOString().slice(0, 10);
    for (const [route, dest] of ['LAX', 'SEA'].entries()) {
      for (const [airline, carrier] of ['AA', 'B6', 'DL'].entries()) {
        for (const [hour, time] of ['0700', '1900'].entries()) {
          const isLate = (day * 7 + route * 3 + airline * 5) % (8 - 2 * airline - 2 * hour) === 0;
          const delay = isLate ? 60 : 0;
          const delayMin = date < CUT ? delay : later(delay);
          const times = {
            CRS_DEP_TIME: time,
            ARR_DELAY: String(delayMin),
            DEP_DELAY: String(delayMin),
          };
          const flight = { FL_DATE: date, OP_UNIQUE_CARRIER: carrier, DEST: dest, ...times };
          for (let nth = 0; nth < A_DAY; nth++) rows.push(aFlight(flight));
        }
      }
    }
  }
  return aFile(t, toCsv(numberFlights(rows)));
}

/** A seed of one much older month, which does not influence the figures. */
function aSeed(t: ExecutionContext) {
  return aParquet(
    t,
    `select '2016-01-01' as month, 'DL' as carrier, 'JFK' as origin, 'LAX' as dest, 8 as crs_dep_hour,
       'arrival' as delay_basis, 100 as flight_count, 0 as cancelled_count, 0 as diverted_count, 100 as completed_count,
       20 as delayed15_count, 10 as delayed_count, 5 as delayed60_count, 1 as delayed120_count, 500 as delayed_min_sum`,
  );
}

async function runBacktest(t: ExecutionContext, files: string[], cut = CUT, every?: number) {
  const lines: string[] = [];
  const { result } = await backtestFiles({
    files,
    cut,
    ...(every !== undefined && { every }),
    seedFiles: [await aSeed(t)],
    codeVersion: 'test',
    log: (line) => lines.push(line),
  });
  return { result, lines };
}

/** Runs the backtest of the unchanged history, once for all tests. */
function baseline(t: ExecutionContext) {
  return oncePerRun('backtest of a history', async () => runBacktest(t, [await aHistory(t)]));
}

/** Paths of the numbers that JSON cannot represent. */
function notFinite(value: unknown, at = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => notFinite(child, `${at}.${key}`));
}

test('a rolling origin forecasts each month from the history before it', async (t) => {
  const oneOrigin = (await baseline(t)).result;
  const rolling = (await runBacktest(t, [await aHistory(t)], CUT, 1)).result;
  t.deepEqual(oneOrigin.origins, [CUT]);
  t.deepEqual(rolling.origins, [CUT, '2018-05-01']);
  t.deepEqual(rolling.by.month['2018-04'], oneOrigin.by.month['2018-04']);
  t.notDeepEqual(rolling.by.month['2018-05'], oneOrigin.by.month['2018-05']);
  // In the second forecast, which starts on 1 May, only 31 May is at least 30 days ahead.
  t.is(rolling.by.horizon['30-89 days']?.ml?.n, 12 * A_DAY);
  t.is(oneOrigin.by.horizon['30-89 days']?.ml?.n, 12 * A_DAY * 31);
  t.is(rolling.ml.with_dep_time.n, oneOrigin.ml.with_dep_time.n);
});

test('flights that were late before are forecast to be late, and every figure is a number', async (t) => {
  const { result } = await baseline(t);
  t.deepEqual(result.trainedOn, ['2016-01', '2018-01', '2018-02', '2018-03']);
  t.deepEqual(result.testedOn, ['2018-04', '2018-05']);
  t.is(result.delayBasis, 'arrival');
  t.deepEqual(notFinite(result), []);
  for (const method of METHODS) {
    for (const hours of HOURS) {
      const { n, auc } = result[method][hours];
      t.is(n, 61 * 12 * A_DAY);
      t.true(auc > 0.55 && auc < 1, `${method} ${hours} ${auc}`);
    }
  }
  t.true(result.ml.with_dep_time.auc > result.ml.without_dep_time.auc);
});

test('the tables show all figures', async (t) => {
  const text = backtestTables((await baseline(t)).result);
  t.regex(text, /^Trained on 4 months before 2018-04-01, tested on 2018-04, 2018-05\.\n/);
  for (const hours of HOURS) t.regex(text, new RegExp(`│ blend +│ ${hours} +│ +3,660 │`));
  t.regex(text, /│ airline +│ +flights +│/);
  t.regex(text, /\nWithout the model, .* % of the scores with confidence 50/);
  t.notRegex(text, /NaN|undefined|null/);
});

test('flights on or after the cut change no forecast', async (t) => {
  const { result: before } = await baseline(t);
  const changed = await aHistory(t, (delay) => (delay > 0 ? 0 : 90));
  const { result: after } = await runBacktest(t, [changed]);
  t.not(before.blend.with_dep_time.observed, after.blend.with_dep_time.observed);
  for (const method of [...METHODS, 'reference'] as const) {
    for (const hours of HOURS) {
      t.is(before[method][hours].forecast, after[method][hours].forecast);
      const forecasts = ({ plots }: typeof before) =>
        plots[method][hours].reliability.map(({ flights, forecast }) => [flights, forecast]);
      t.deepEqual(forecasts(before), forecasts(after));
    }
  }
  const sizes = ({ bands }: typeof before) => bands.with_dep_time.map(({ label, n }) => [label, n]);
  t.deepEqual(sizes(before), sizes(after));
});

test('with a cut within a month, the days of the month before the cut are training data', async (t) => {
  const { result, lines } = await runBacktest(t, [await aHistory(t)], '2018-02-28');
  t.deepEqual(result.trainedOn, ['2016-01', '2018-01', '2018-02']);
  t.deepEqual(result.testedOn, ['2018-02', '2018-03', '2018-04', '2018-05']);
  t.is(result.linear.with_dep_time.n, (151 - 58) * 12 * A_DAY);
  t.true(lines.some((line) => line.includes('from 2018-02-08 to before 2018-02-28')));
});

test('a file without flights is refused, and so is a file without the year', async (t) => {
  const noFlights = await aFile(t, 'a,b\n1,2\n');
  await t.throwsAsync(runBacktest(t, [noFlights]), { instanceOf: SourceFormatError });
  const undated = await aParquet(
    t,
    `select 'DL' as op_carrier, unnest([5, 6]) as fl_month, 'JFK' as origin, 'LAX' as dest,
       '0800' as crs_dep_time, '40' as arr_delay, '0' as cancelled`,
  );
  await t.throwsAsync(runBacktest(t, [undated]), { message: /no year: pass YEAR=$/ });
});

/** A folder with the seed, as `make seed` writes it. */
async function aSeedFolder(t: ExecutionContext): Promise<string> {
  const file = await aSeed(t);
  const folder = path.dirname(file);
  await rename(file, path.join(folder, 'route_hours.parquet'));
  return folder;
}

/** Runs the command like `make backtest`, with its own data folder. */
async function headwind(t: ExecutionContext, args: string[]) {
  const dataDir = await aFolder(t);
  const command = startCommand(t, ['backtest', ...args], { DATA_DIR: dataDir }, MAIN);
  const status = await command.end;
  return { status, stdout: command.out(), stderr: command.err(), dataDir };
}

test('--json prints one object to stdout and progress to stderr', async (t) => {
  const history = ['--history', await aSeedFolder(t)];
  const args = ['--cut', CUT, '--json', ...history, '--', await aHistory(t)];
  const { status, stdout, stderr, dataDir } = await headwind(t, args);
  t.is(status, 0, stderr);
  t.is(stdout.trim().split('\n').length, 1);
  const result = JSON.parse(stdout) as Record<string, Record<string, Record<string, number>>>;
  for (const method of METHODS) {
    for (const hours of HOURS) {
      const figures = result[method]?.[hours] ?? {};
      for (const name of ['n', 'auc', 'logLoss', 'brier', 'skill', 'ece', 'eceAtOwnLevel']) {
        t.is(typeof figures[name], 'number', `${method} ${hours} ${name}`);
      }
    }
  }
  t.regex(stderr, /^reading flights\.csv\n/);
  const page = path.join(dataDir, 'backtests', `flights-${CUT}.html`);
  t.true(stderr.endsWith(`\nReport: ${page}\n`), stderr);
  t.is(await readFile(page.replace(/html$/, 'json'), 'utf8'), stdout);
  t.regex(await readFile(page, 'utf8'), /<title>Backtest of flights\.csv from 2018-04-01<\/title>/);
});

test('an invalid day and a missing file are refused at once', async (t) => {
  const file = await aHistory(t);
  for (const cut of ['2018-02-30', 'April', '2018-4-1']) {
    t.throws(() => parseDay(cut), { message: 'Expected a day such as 2017-10-01.' });
  }
  const invalidDay = await headwind(t, ['--cut', '2018-02-30', '--', file]);
  t.is(invalidDay.status, 1);
  t.is(invalidDay.stdout, '');
  t.regex(invalidDay.stderr, /argument '.+' is invalid\. Expected a day such as 2017-10-01\./);
  const missing = await headwind(t, ['--cut', CUT, '--json', '--', `${file}.gz`]);
  t.is(missing.status, 1);
  t.is(missing.stdout, '');
  t.is(missing.stderr, `Nothing was loaded: ${file}.gz does not exist\n`);
});

test('without flights before the cut, or after it, the error is a message without a stack trace', async (t) => {
  const file = await aHistory(t);
  const early = await headwind(t, ['--alone', '--cut', '2018-01-01', '--json', '--', file]);
  t.is(early.status, 1);
  t.is(early.stdout, '');
  t.regex(early.stderr, /\nThe backtest failed: there are no flights before 2018-01-01\n$/);
  const late = await headwind(t, ['--alone', '--cut', '2018-06-01', '--json', '--', file]);
  t.is(late.status, 1);
  t.is(late.stdout, '');
  t.regex(
    late.stderr,
    /\nThe backtest failed: the files have no flights from 2018-06-01 on; their last day is 2018-05-31\n$/,
  );
});

// Serial, because another backtest in this process would delay the signal until the command has ended.
serialTest('Ctrl-C ends the backtest with 130 and leaves no temporary files', async (t) => {
  const [file, temporary] = [await aHistory(t), await aFolder(t)];
  const env = { TMPDIR: temporary, DATA_DIR: await aFolder(t) };
  const command = startCommand(t, ['backtest', '--cut', CUT, '--', file], env, MAIN);
  await until('the backtest has started', () => command.err().includes('reading route_hours'));
  command.process.kill('SIGINT');
  t.is(await command.end, 130);
  t.is(command.out(), '');
  t.deepEqual(await readdir(temporary), []);
});
