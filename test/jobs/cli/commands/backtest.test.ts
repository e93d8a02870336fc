import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { backtestTables } from '../../../../jobs/cli/commands/backtest-tables.ts';
import { parseDay } from '../../../../jobs/cli/program/arguments.ts';
import { backtestFiles } from '../../../../jobs/wiring/backtest-files.ts';
import { HOURS, METHODS } from '../../../../pipelines/model/forecasts.ts';
import { SourceFormatError } from '../../../../pipelines/errors.ts';
import { aFile, aFlight, aFolder, aParquet, toCsv } from '../../../helpers/flight-files.ts';
import { oncePerRun } from '../../../helpers/once-per-run.ts';
import { startCommand, until } from '../../helpers/command.ts';
import {
  serialTestWithXgboost as serialTest,
  testWithXgboost as test,
} from '../../../models/helpers/test-with-xgboost.ts';

const MAIN = fileURLToPath(new URL('../../../../jobs/main.ts', import.meta.url));
const CUT = '2018-04-01';

/** Flights of an airline on a route in an hour; twelve of these make a day. */
const A_DAY = 5;

/** Flights of three airlines on two routes, morning and evening, every day of five months; what follows the cut is `later`. */
async function aHistory(t: ExecutionContext, later: (delay: number) => number = (delay) => delay) {
  const rows: Record<string, string>[] = [];
  for (let day = 0; day < 151; day++) {
    const date = new Date(Date.UTC(2018, 0, 1 + day)).toISOString().slice(0, 10);
    for (const [route, dest] of ['LAX', 'SEA'].entries()) {
      for (const [airline, carrier] of ['AA', 'B6', 'DL'].entries()) {
        for (const [hour, time] of ['0700', '1900'].entries()) {
          const isLate = (day * 7 + route * 3 + airline * 5) % (8 - 2 * airline - 2 * hour) === 0;
          const delay = isLate ? 60 : 0;
          const known = date < CUT ? delay : later(delay);
          const times = { CRS_DEP_TIME: time, ARR_DELAY: String(known), DEP_DELAY: String(known) };
          const flight = { FL_DATE: date, OP_UNIQUE_CARRIER: carrier, DEST: dest, ...times };
          for (let nth = 0; nth < A_DAY; nth++) rows.push(aFlight(flight));
        }
      }
    }
  }
  return aFile(t, toCsv(rows));
}

/** A seed of a month long before, so that the files alone count. */
function aSeed(t: ExecutionContext) {
  return aParquet(
    t,
    `select '2016-01-01' as month, 'DL' as carrier, 'JFK' as origin, 'LAX' as dest, 8 as crs_dep_hour,
       'arrival' as delay_basis, 100 as flight_count, 0 as cancelled_count, 0 as diverted_count, 100 as completed_count,
       20 as delayed15_count, 10 as delayed_count, 5 as delayed60_count, 1 as delayed120_count, 500 as delayed_min_sum`,
  );
}

async function tested(t: ExecutionContext, files: string[], cut = CUT, every?: number) {
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

/** The back-test of that history as it is, made once. */
function calm(t: ExecutionContext) {
  return oncePerRun('back-test of a history', async () => tested(t, [await aHistory(t)]));
}

/** Numbers that JSON cannot say. */
function notFinite(value: unknown, at = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => notFinite(one, `${at}.${key}`));
}

test('a rolling origin forecasts each month with what was known when it began', async (t) => {
  const once = (await calm(t)).result;
  const rolling = (await tested(t, [await aHistory(t)], CUT, 1)).result;
  t.deepEqual(once.origins, [CUT]);
  t.deepEqual(rolling.origins, [CUT, '2018-05-01']);
  t.deepEqual(rolling.by.month['2018-04'], once.by.month['2018-04']);
  t.notDeepEqual(rolling.by.month['2018-05'], once.by.month['2018-05']);
  // The last day of May alone is so far from its first.
  t.is(rolling.by.horizon['30-89 days']?.ml?.n, 12 * A_DAY);
  t.is(once.by.horizon['30-89 days']?.ml?.n, 12 * A_DAY * 31);
  t.is(rolling.ml.with_dep_time.n, once.ml.with_dep_time.n);
});

test('what was late before is forecast to be late, and every figure is a number', async (t) => {
  const { result } = await calm(t);
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

test('for people the figures are tables, and none is missing', async (t) => {
  const text = backtestTables((await calm(t)).result);
  t.regex(text, /^Trained on 4 months before 2018-04-01, tested on 2018-04, 2018-05\.\n/);
  for (const hours of HOURS) t.regex(text, new RegExp(`│ blend +│ ${hours} +│ +3,660 │`));
  t.regex(text, /│ airline +│ +flights +│/);
  t.regex(text, /\nWithout the model .* % of the scores of confidence 50/);
  t.notRegex(text, /NaN|undefined|null/);
});

test('flights on or after the cut change no forecast', async (t) => {
  const { result: before } = await calm(t);
  const { result: stormy } = await tested(t, [await aHistory(t, (delay) => (delay > 0 ? 0 : 90))]);
  t.not(before.blend.with_dep_time.observed, stormy.blend.with_dep_time.observed);
  for (const method of [...METHODS, 'reference'] as const) {
    for (const hours of HOURS) {
      t.is(before[method][hours].forecast, stormy[method][hours].forecast);
      const forecasts = ({ plots }: typeof before) =>
        plots[method][hours].reliability.map(({ flights, forecast }) => [flights, forecast]);
      t.deepEqual(forecasts(before), forecasts(stormy));
    }
  }
  const sizes = ({ bands }: typeof before) => bands.with_dep_time.map(({ label, n }) => [label, n]);
  t.deepEqual(sizes(before), sizes(stormy));
});

test('the days of a month before a cut inside it are learned from', async (t) => {
  const { result, lines } = await tested(t, [await aHistory(t)], '2018-02-28');
  t.deepEqual(result.trainedOn, ['2016-01', '2018-01', '2018-02']);
  t.deepEqual(result.testedOn, ['2018-02', '2018-03', '2018-04', '2018-05']);
  t.is(result.linear.with_dep_time.n, (151 - 58) * 12 * A_DAY);
  t.true(lines.some((line) => line.includes('from 2018-02-08 to before 2018-02-28')));
});

test('what a file does not say is told, and a file that is none is refused', async (t) => {
  await t.throwsAsync(tested(t, [await aFile(t, 'a,b\n1,2\n')]), { instanceOf: SourceFormatError });
  const undated = await aParquet(
    t,
    `select 'DL' as op_carrier, unnest([5, 6]) as fl_month, 'JFK' as origin, 'LAX' as dest,
       '0800' as crs_dep_time, '40' as arr_delay, '0' as cancelled`,
  );
  await t.throwsAsync(tested(t, [undated]), { message: /no year: pass YEAR=$/ });
});

/** A folder as `make seed` writes it, with that seed. */
async function aSeedFolder(t: ExecutionContext): Promise<string> {
  const file = await aSeed(t);
  const folder = path.dirname(file);
  await rename(file, path.join(folder, 'route_hours.parquet'));
  return folder;
}

/** The command as `make backtest` runs it, on a data folder of its own. */
async function headwind(t: ExecutionContext, args: string[]) {
  const dataDir = await aFolder(t);
  const command = startCommand(t, ['backtest', ...args], { DATA_DIR: dataDir }, MAIN);
  const status = await command.end;
  return { status, stdout: command.out(), stderr: command.err(), dataDir };
}

test('with --json there is one object on stdout, and progress on stderr', async (t) => {
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
  t.regex(
    await readFile(page, 'utf8'),
    /<title>Back-test of flights\.csv from 2018-04-01<\/title>/,
  );
});

test('a day that is none, and a file that is not there, are refused at once', async (t) => {
  const file = await aHistory(t);
  for (const cut of ['2018-02-30', 'April', '2018-4-1']) {
    t.throws(() => parseDay(cut), { message: 'It is not a day such as 2017-10-01.' });
  }
  const wrong = await headwind(t, ['--cut', '2018-02-30', '--', file]);
  t.is(wrong.status, 1);
  t.is(wrong.stdout, '');
  t.regex(wrong.stderr, /argument '.+' is invalid\. It is not a day such as 2017-10-01\./);
  const missing = await headwind(t, ['--cut', CUT, '--json', '--', `${file}.gz`]);
  t.is(missing.status, 1);
  t.is(missing.stdout, '');
  t.is(missing.stderr, `Nothing was read: ${file}.gz does not exist\n`);
});

test('without flights before the cut, or from it on, there is a message and no trace', async (t) => {
  const file = await aHistory(t);
  const early = await headwind(t, ['--alone', '--cut', '2018-01-01', '--json', '--', file]);
  t.is(early.status, 1);
  t.is(early.stdout, '');
  t.regex(early.stderr, /\nNo back-test: there are no flights before 2018-01-01\n$/);
  const late = await headwind(t, ['--alone', '--cut', '2018-06-01', '--json', '--', file]);
  t.is(late.status, 1);
  t.is(late.stdout, '');
  t.regex(
    late.stderr,
    /\nNo back-test: the files hold no flights from 2018-06-01 on; their last day is 2018-05-31\n$/,
  );
});

// Alone: another back-test in this process would hold us up until the command has ended.
serialTest('Ctrl-C ends it with 130 and leaves nothing behind', async (t) => {
  const [file, temporary] = [await aHistory(t), await aFolder(t)];
  const env = { TMPDIR: temporary, DATA_DIR: await aFolder(t) };
  const command = startCommand(t, ['backtest', '--cut', CUT, '--', file], env, MAIN);
  await until('it has begun', () => command.err().includes('reading route_hours'));
  command.process.kill('SIGINT');
  t.is(await command.end, 130);
  t.is(command.out(), '');
  t.deepEqual(await readdir(temporary), []);
});
