import type { Command } from 'commander';
import type { BackfillOptions } from '../commands/backfill.ts';
import type { BackfillWeatherOptions } from '../commands/backfill-weather.ts';
import type { IngestRequest } from '../commands/ingest.ts';
import { codeVersion, parseYear } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** Adds the commands for the steps of the pipeline. */
export function addSteps(program: Command, deps: ProgramDeps): void {
  const { context, end } = deps;
  program
    .command('ingest')
    .description('load flight files into the lake and the warehouse: BTS zip, CSV, CSV.gz, Parquet')
    .argument('<files...>', 'one or more files')
    .option('--year <year>', 'year of the flights, if the file does not contain it', parseYear)
    .option(
      '--force',
      'load unchanged files again, and allow a month to be replaced by one with far fewer flights',
    )
    .option('--together', 'load the files as parts of the same months, and replace these months')
    .option('--sha256 <hash>', 'refuse the file if its checksum differs')
    .option('--dry-run', 'print the outcome for each month and change nothing')
    .option('--publish', 'also build the features and publish them')
    .action(async (files: string[], options: Omit<IngestRequest, 'files'>) => {
      const { ingest } = await import('../commands/ingest.ts');
      const { createFileDryRun } = await import('../../wiring/month-planner.ts');
      const commandContext = context();
      const { config } = commandContext;
      const tryFile = createFileDryRun({ ...config, codeVersion: await codeVersion() });
      end(await ingest(commandContext, { files, ...options }, tryFile));
    });
  program
    .command('backfill')
    .description(
      'load a range of months from BTS, from a mirror of BTS, from a folder or from another provider',
    )
    .option('--provider <name>', 'another provider, for example caa; FROM and TO may then be years')
    .option('--from <month>', 'first month, for example 2025-01')
    .option('--to <month>', 'last month')
    .option('--source <place>', 'address of a mirror, or a folder (default: BTS_BASE_URL)')
    .option('--dry-run', 'print the outcome for each month and change nothing')
    .option(
      '--force',
      'load unchanged months again, and allow a month to be replaced by one with far fewer flights',
    )
    .option('--publish', 'also build the features and publish them')
    .action((options: BackfillOptions & { provider?: string }) => startBackfill(options, deps));
  program
    .command('backfill-weather')
    .description('load past weather of a range of months, for typical weather by month')
    .option('--from <month>', 'first month, for example 2025-01')
    .option('--to <month>', 'last month')
    .option(
      '--source <place>',
      'address of an archive, or a file of hourly observations (default: WEATHER_ARCHIVE_URL)',
    )
    .option('--zone <zone>', "time zone of the file's hours (default: UTC)")
    .option('--force', 'also load months that the lake already has, and skip plausibility checks')
    .action(async (options: BackfillWeatherOptions) => {
      const { backfillWeather } = await import('../commands/backfill-weather.ts');
      end(await backfillWeather(context(), options));
    });
  program
    .command('features')
    .description('rebuild the marts and run the checks')
    .action(async () => {
      const { features } = await import('../commands/features.ts');
      end(await features(context()));
    });
  program
    .command('nightly')
    .description('start the nightly run now: fetch new months, build, check, train, publish')
    .action(async () => {
      const { nightly } = await import('../commands/nightly.ts');
      end(await nightly(context()));
    });
  program
    .command('publish')
    .description('write a new score store and serve it')
    .action(async () => {
      const { publish } = await import('../commands/publish.ts');
      end(await publish(context()));
    });
}

/** Starts the backfill of BTS or of another provider. */
async function startBackfill(
  { provider, ...options }: BackfillOptions & { provider?: string },
  { context, end }: ProgramDeps,
): Promise<void> {
  if (provider !== undefined && provider !== 'bts') {
    const { backfillProvider } = await import('../commands/backfill-provider.ts');
    const { createHttpGet } = await import('../../../pipelines/http-get.ts');
    end(await backfillProvider(context(), { provider, ...options }, createHttpGet()));
    return;
  }
  const { backfill } = await import('../commands/backfill.ts');
  const { createMonthPlanner } = await import('../../wiring/month-planner.ts');
  const { dataDir } = context().config;
  const planner = createMonthPlanner({ dataDir, codeVersion: await codeVersion() });
  end(await backfill(context(), options, planner));
}
