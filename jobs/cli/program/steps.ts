import type { Command } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import type { BackfillOptions } from '../commands/backfill.ts';
import type { BackfillWeatherOptions } from '../commands/backfill-weather.ts';
import type { BacktestOptions } from '../commands/backtest.ts';
import type { IngestOptions } from '../commands/ingest.ts';
import {
  codeVersion,
  parseDay,
  parseMonths,
  parseYear,
  SEED_DIR,
  seedFilesIn,
} from './arguments.ts';
import type { ProgramDeps } from './deps.ts';

/** The steps of the pipeline, and what forecasts with them. */
export function addSteps(program: Command, deps: ProgramDeps): void {
  const { context, end } = deps;
  program
    .command('ingest')
    .description('load flight files: BTS zip, CSV, CSV.gz or Parquet')
    .argument('<files...>', 'one or many files')
    .option('--year <year>', 'year of the flights, where the file does not say it', parseYear)
    .option(
      '--force',
      'read again what is unchanged, and replace months by ones with far fewer flights',
    )
    .action(async (files: string[], options: IngestOptions) => {
      const { ingest } = await import('../commands/ingest.ts');
      end(await ingest(context(), { files, ...options }));
    });
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
      const { backfill } = await import('../commands/backfill.ts');
      const { createMonthPlanner } = await import('../../wiring/month-planner.ts');
      const { dataDir } = context().config;
      const planner = createMonthPlanner({ dataDir, codeVersion: await codeVersion() });
      end(await backfill(context(), options, planner));
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
    .action(async (options: BackfillWeatherOptions) => {
      const { backfillWeather } = await import('../commands/backfill-weather.ts');
      end(await backfillWeather(context(), options));
    });
  program
    .command('features')
    .description('build the features from the loaded months and run the checks')
    .action(async () => {
      const { features } = await import('../commands/features.ts');
      end(await features(context()));
    });
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
      const { backtest } = await import('../commands/backtest.ts');
      const seedFiles = alone ? [] : seedFilesIn(history);
      const request = { files, ...options, seedFiles, codeVersion: packageFile.version };
      end(await backtest(context(), request));
    });
  program
    .command('backtest-levels')
    .description(
      "forecast the months of BTS's delay-cause table with what was out before each, and measure",
    )
    .argument('<file>', 'the table')
    .option('--cut <day>', 'first day that is forecast', parseDay, '2023-01-01')
    .option('--json', 'for machines', false)
    .action(async (file: string, options: { cut: string; json: boolean }) => {
      const { backtestLevels } = await import('../commands/backtest-levels.ts');
      const request = { file, ...options, codeVersion: packageFile.version };
      end(await backtestLevels(context(), request));
    });
  program
    .command('publish')
    .description('publish a score store from the features; the API serves it at once')
    .action(async () => {
      const { publish } = await import('../commands/publish.ts');
      end(await publish(context()));
    });
}
