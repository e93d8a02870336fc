import type { Command } from 'commander';
import type { BackfillOptions } from '../commands/backfill.ts';
import type { BackfillWeatherOptions } from '../commands/backfill-weather.ts';
import type { IngestRequest } from '../commands/ingest.ts';
import { codeVersion, parseYear } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** The steps of the pipeline. */
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
    .option('--together', 'the files are parts of the same months, and replace them as one')
    .option('--sha256 <hash>', 'what the file must be, bit for bit')
    .option('--dry-run', 'say what would become of each month and change nothing')
    .option('--publish', 'build the features and publish them as well')
    .action(async (files: string[], options: Omit<IngestRequest, 'files'>) => {
      const { ingest } = await import('../commands/ingest.ts');
      const { createFileTrier } = await import('../../wiring/month-planner.ts');
      const given = context();
      const tryFile = createFileTrier({ ...given.config, codeVersion: await codeVersion() });
      end(await ingest(given, { files, ...options }, tryFile));
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
    .option('--publish', 'build the features and publish them as well')
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
    .option('--zone <zone>', 'whose clock the hours of the file are by; UTC without it')
    .option('--force', 'get months again that the lake has, whatever speaks against them')
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
    .command('nightly')
    .description('do now what the night does: fetch what came out, build, check, train, publish')
    .action(async () => {
      const { nightly } = await import('../commands/nightly.ts');
      end(await nightly(context()));
    });
  program
    .command('publish')
    .description('publish a score store from the features; the API serves it at once')
    .action(async () => {
      const { publish } = await import('../commands/publish.ts');
      end(await publish(context()));
    });
}
