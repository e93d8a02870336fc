import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { backfill } from './cli/commands/backfill.ts';
import type { BackfillOptions } from './cli/commands/backfill.ts';
import { backfillWeather, type BackfillWeatherOptions } from './cli/commands/backfill-weather.ts';
import type { BacktestOptions } from './cli/commands/backtest.ts';
import { features } from './cli/commands/features.ts';
import { ingest, type IngestOptions } from './cli/commands/ingest.ts';
import { keysRestore } from './cli/commands/keys-restore.ts';
import { publish } from './cli/commands/publish.ts';
import { rebuild } from './cli/commands/rebuild.ts';
import { run } from './cli/commands/run.ts';
import { status, type StatusRequest } from './cli/commands/status.ts';
import { withRedis } from './cli/commands/with-redis.ts';
import { worker } from './cli/commands/worker.ts';
import { addModels } from './cli/model-program.ts';
import { codeVersionOf } from '../warehouse/lake/code-version.ts';
import { CorruptFileError } from '../warehouse/errors.ts';
import { readConfig } from './config.ts';
import type { CommandContext } from './cli/context.ts';
import { CommandError, InterruptedError, JobFailedError } from './errors.ts';

const SEED_DIR = fileURLToPath(new URL('../warehouse/seed', import.meta.url));
const SEED_FILES = ['route_hours.parquet', 'delay_causes.parquet'];
const FIRST_YEAR = 1987;
const LAST_YEAR = 2100;

const codeVersion = await codeVersionOf(packageFile.version);

type End = (exitCode: number) => void;

process.exit(await main());

async function main(): Promise<number> {
  let exitCode = 0;
  const end: End = (code) => {
    exitCode = code;
  };
  const program = new Command('headwind')
    .description('Brings flights into the warehouse and serves scores from them.')
    .showHelpAfterError('(--help says what there is)')
    // Options after the command of with-redis are the command's own.
    .enablePositionalOptions();
  addProcesses(program, end);
  addSteps(program, end);
  addModels(program, { end, readContext, codeVersion });
  addKeyring(program, end);
  try {
    await program.parseAsync();
    return exitCode;
  } catch (error) {
    return tell(error);
  }
}

function addProcesses(program: Command, end: End): void {
  program
    .command('run')
    .description('start everything: Redis, worker and API; the first start loads the seed')
    .action(async () => end(await run(readContext(), runParts())));
  program
    .command('seed')
    .description('compute the seed that ships with the code anew from its source files')
    .argument('<folder>', 'folder of the source files, see docs/data-sources.md')
    .action(async (sourceDir: string) => {
      const request = { sourceDir, seedDir: SEED_DIR, codeVersion };
      const { seed } = await import('./cli/commands/seed.ts');
      end(await seed(readContext(), request));
    });
  program
    .command('worker')
    .description('work off the queues until stopped')
    .action(async () => {
      const config = readConfig(process.env);
      const { createSteps } = await import('./wiring/steps.ts');
      const stepsConfig = { ...config, codeVersion };
      end(await worker(config, (redis) => createSteps(stepsConfig, redis)));
    });
  program
    .command('with-redis')
    .description('run a command with REDIS_URL set to a Redis that runs')
    .argument('<command...>', 'the command and its arguments')
    .passThroughOptions()
    .action(async (command: string[]) => end(await withRedis(readContext(), command)));
}

function addSteps(program: Command, end: End): void {
  program
    .command('ingest')
    .description('load flight files: BTS zip, CSV, CSV.gz or Parquet')
    .argument('<files...>', 'one or many files')
    .option('--year <year>', 'year of the flights, where the file does not say it', parseYear)
    .option(
      '--force',
      'read again what is unchanged, and replace months by ones with far fewer flights',
    )
    .action(async (files: string[], options: IngestOptions) =>
      end(await ingest(readContext(), { files, ...options })),
    );
  program
    .command('backfill')
    .description('load a span of months from BTS, a mirror of it or a folder')
    .option('--from <month>', 'first month, for example 2025-01')
    .option('--to <month>', 'last month')
    .option('--source <place>', 'another address than BTS_BASE_URL, or a folder')
    .option('--dry-run', 'print what would be done and change nothing')
    .option(
      '--force',
      'do months again that are unchanged, and replace them by ones with far fewer flights',
    )
    .action(async (options: BackfillOptions) => {
      // Loaded when needed: it brings DuckDB.
      const { createMonthPlanner } = await import('./wiring/month-planner.ts');
      const context = readContext();
      const { dataDir } = context.config;
      const planner = createMonthPlanner({ dataDir, codeVersion });
      end(await backfill(context, options, planner));
    });
  program
    .command('backfill-weather')
    .description('bring the weather of a span of months into lake and warehouse')
    .option('--from <month>', 'first month, for example 2025-01')
    .option('--to <month>', 'last month')
    .option(
      '--source <place>',
      'another address than WEATHER_ARCHIVE_URL, or a file of hourly observations',
    )
    .option('--force', 'get months again that the lake has')
    .action(async (options: BackfillWeatherOptions) =>
      end(await backfillWeather(readContext(), options)),
    );
  program
    .command('features')
    .description('build the features from the loaded months and run the checks')
    .action(async () => end(await features(readContext())));
  program
    .command('backtest')
    .description('forecast flights from a day on with what was known before it, and measure')
    .argument('<files...>', 'flight files; they are read into a throw-away folder')
    .requiredOption('--cut <day>', 'first day that is forecast, for example 2017-10-01', parseDay)
    .option('--year <year>', 'year of the flights, where the file does not say it', parseYear)
    .option('--every <months>', 'forecast anew after so many months, as nights would', parseMonths)
    .option('--alone', 'without the history that ships with the code', false)
    .option('--box', 'with that history alone, whatever the files hold before the day', false)
    .option('--history <folder>', 'another history in place of the one that ships', SEED_DIR)
    .option('--save <file>', 'keep what was forecast, to compare with')
    .option('--against <file>', 'compare with what was kept, flight by flight')
    .option('--small', 'of small histories cut out of the files, as new users have them', false)
    .option('--json', 'for machines', false)
    .action(async (files: string[], { alone, history, ...options }: BacktestOptions) => {
      const { backtest } = await import('./cli/commands/backtest.ts');
      const known = alone ? [] : SEED_FILES.map((name) => join(history, name));
      const request = { files, ...options, seedFiles: known, codeVersion: packageFile.version };
      end(await backtest(readContext(), request));
    });
  program
    .command('publish')
    .description('publish a score store from the features; the API serves it at once')
    .action(async () => end(await publish(readContext())));
  program
    .command('status')
    .description('show months, runs, store, freshness, schedules and queues')
    .option('--month <month>', 'one month, with what was rejected and why')
    .option('--json', 'for machines', false)
    .action(async (options: StatusRequest) => end(await status(readContext(), options)));
  program
    .command('sql')
    .description('answer a SELECT from the warehouse, which stays as it is')
    .argument('<query>', 'for example "from ops.runs"')
    .option('--json', 'for machines', false)
    .action(async (query: string, { json }: { json: boolean }) => {
      const { sql } = await import('./cli/commands/sql.ts');
      end(await sql(readContext(), { query, json }));
    });
  program
    .command('rebuild')
    .description('make the warehouse anew from the lake: the same months, the same marts')
    .action(async () => end(await rebuild(readContext())));
  program
    .command('rollback')
    .description('make an earlier score store current again; the API serves it at once')
    .argument('[version]', 'a version that is kept; without it, the one before')
    .action(async (version?: string) => {
      const request = { codeVersion, ...(version && { version }) };
      const { rollback } = await import('./cli/commands/rollback.ts');
      end(await rollback(readContext(), request));
    });
}

function addKeyring(program: Command, end: End): void {
  program
    .command('keys-restore')
    .description('bring keys and counts back from the archive, after Redis lost them')
    .action(async () => end(await keysRestore(readContext())));
}

function readContext(): CommandContext {
  return {
    config: readConfig(process.env),
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    now: () => new Date(),
    workerScript: fileURLToPath(import.meta.url),
  };
}

function runParts() {
  return {
    apiScript: fileURLToPath(new URL('../api/main.ts', import.meta.url)),
    seedFiles: SEED_FILES.map((name) => join(SEED_DIR, name)),
  };
}

function parseDay(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
  if (isDay) return text;
  throw new InvalidArgumentError('It is not a day such as 2017-10-01.');
}

function parseYear(text: string): number {
  const year = Number(text);
  if (Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR) return year;
  throw new InvalidArgumentError(`It is not a year from ${FIRST_YEAR} to ${LAST_YEAR}.`);
}

function parseMonths(text: string): number {
  const months = Number(text);
  if (Number.isInteger(months) && months >= 1) return months;
  throw new InvalidArgumentError('It is not a number of months.');
}

/** Prints what went wrong, without a stack trace where the person at the terminal can act on it. */
function tell(error: unknown): number {
  if (error instanceof InterruptedError) return error.signal === 'SIGINT' ? 130 : 143;
  const isExpected = [CommandError, JobFailedError, CorruptFileError].some(
    (kind) => error instanceof kind,
  );
  console.error(isExpected && error instanceof Error ? error.message : error);
  return error instanceof CommandError ? error.exitCode : 1;
}
