import { InvalidArgumentError, type Command } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import type { BacktestOptions } from '../commands/backtest.ts';
import {
  codeVersion,
  parseDay,
  parseMonth,
  parseMonths,
  parseYear,
  SEED_DIR,
  seedFilesIn,
} from './arguments.ts';
import type { TrialPeriod } from '../../wiring/provider-trials.ts';
import type { ProgramDeps } from '../context.ts';

/** Adds the commands for models and backtests. */
export function addModels(program: Command, deps: ProgramDeps): void {
  addBacktests(program, deps);
  addProviderBacktest(program, deps);
  addModelCommands(program, deps);
  addRecord(program, deps);
  addSnapshot(program, deps);
  addImports(program, deps);
}

function addImports(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('model-rows')
    .description('write rows to train a model elsewhere, and the rows on which it is judged')
    .argument('<file>', 'file to write: Parquet, or CSV if its name ends in .csv')
    .action(async (file: string) => {
      const { modelRows } = await import('../commands/model-import.ts');
      end(await modelRows(context(), file));
    });
  program
    .command('model-import')
    .description(
      'judge an ONNX model trained elsewhere, and release it if it is better than the released one',
    )
    .argument('<file>', 'ONNX file; its inputs are columns in the output of model-rows')
    .option('--accept <what>', ACCEPT, parseAccept)
    .action(async (file: string, { accept }: { accept?: string }) => {
      const { modelImport } = await import('../commands/model-import.ts');
      const request = { file, acceptsRegional: accept !== undefined };
      end(await modelImport(context(), { ...request, codeVersion: await codeVersion() }));
    });
  program
    .command('model-remove')
    .description('remove an imported model; the next publish uses the last model trained here')
    .argument('[version]', 'version of the imported model (default: the pinned or released one)')
    .action(async (version?: string) => {
      const { modelRemove } = await import('../commands/model-import.ts');
      const request = { codeVersion: await codeVersion(), ...(version && { version }) };
      end(await modelRemove(context(), request));
    });
}

const ACCEPT =
  '"regional": release the model even if it learned from less of the country than the released one';

function addModelCommands(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('train')
    .description('train a model on the loaded months; it is released if it beats the released one')
    .option('--accept <what>', ACCEPT, parseAccept)
    .action(async ({ accept }: { accept?: string }) => {
      const { train } = await import('../commands/train.ts');
      end(await train(context(), accept === undefined ? {} : { acceptsRegional: true }));
    });
  program
    .command('model')
    .description('list the models: training data, accuracy, and which one is served')
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { model } = await import('../commands/model.ts');
      end(await model(context(), options));
    });
  program
    .command('model-pin')
    .description('use this model in every publish, even when another is released')
    .argument('<version>', 'version of a model in the registry, or "bundled"')
    .action(async (version: string) => {
      const { modelPin } = await import('../commands/model.ts');
      end(await modelPin(context(), version));
    });
  program
    .command('model-unpin')
    .description('use the released model in publishes again')
    .action(async () => {
      const { modelUnpin } = await import('../commands/model.ts');
      end(await modelUnpin(context()));
    });
  program
    .command('model-rollback')
    .description('release a former model again; the next publish uses it')
    .argument(
      '[version]',
      'version of a model in the registry, or "bundled" (default: the model before)',
    )
    .action(async (version?: string) => {
      const { modelRollback } = await import('../commands/model.ts');
      const request = { codeVersion: await codeVersion(), ...(version && { version }) };
      end(await modelRollback(context(), request));
    });
}

function addBacktests(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('backtest')
    .description(
      'forecast the flights after a date from the history before it, and report the accuracy',
    )
    .argument('<files...>', 'flight files; they are loaded into a temporary folder')
    .requiredOption('--cut <day>', 'first day that is forecast, for example 2017-10-01', parseDay)
    .option('--year <year>', 'year of the flights, if the file does not contain it', parseYear)
    .option(
      '--every <months>',
      'forecast again after this many months, like the nightly runs',
      parseMonths,
    )
    .option('--alone', 'forecast without the bundled history', false)
    .option('--box', 'forecast from the bundled history only', false)
    .option('--history <folder>', 'use this history instead of the bundled one', SEED_DIR)
    .option('--save <file>', 'save the forecasts, to compare with them later')
    .option('--against <file>', 'compare with saved forecasts, flight by flight')
    .option('--small', 'forecast from small parts of the history, as new users have it', false)
    .option('--json', 'print JSON', false)
    .action(async (files: string[], { alone, history, ...options }: BacktestOptions) => {
      const { backtest } = await import('../commands/backtest.ts');
      const seedFiles = alone ? [] : seedFilesIn(history);
      const request = { files, ...options, seedFiles, codeVersion: packageFile.version };
      end(await backtest(context(), request));
    });
  program
    .command('backtest-levels')
    .description("forecast the months of BTS's delay-cause table, and report the accuracy")
    .argument('<file>', 'file of the table')
    .option('--cut <day>', 'first day that is forecast', parseDay, '2023-01-01')
    .option('--json', 'print JSON', false)
    .action(async (file: string, options: { cut: string; json: boolean }) => {
      const { backtestLevels } = await import('../commands/backtest-levels.ts');
      const request = { file, ...options, codeVersion: packageFile.version };
      end(await backtestLevels(context(), request));
    });
}

function addProviderBacktest(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('backtest-provider')
    .description(
      'forecast flights of another provider from its earlier flights, and report the accuracy',
    )
    .argument('<files...>', 'files of the provider; they are not loaded into the lake')
    .requiredOption('--cut <day>', 'first day that is forecast, for example 2025-12-01', parseDay)
    .option('--until <day>', 'the day after the last day that is forecast', parseDay)
    .option(
      '--rates-from <month>',
      'first month of the former rates, for example 2019-01 (default: the first month)',
      parseMonth,
    )
    .option('--json', 'print JSON', false)
    .action(async (files: string[], options: TrialPeriod & { json: boolean }) => {
      const { backtestProvider } = await import('../commands/backtest-provider.ts');
      const request = { files, ...options, codeVersion: packageFile.version };
      end(await backtestProvider(context(), request));
    });
}

function addRecord(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('record')
    .description(
      'freeze forecasts and compare former ones with the actual flights; with months, replay the forecasts of past months',
    )
    .option('--from <month>', 'first month to replay, for example 2018-10', parseMonth)
    .option('--to <month>', 'last month to replay (default: the first one)', parseMonth)
    .action(async ({ from, to }: { from?: string; to?: string }) => {
      const { record, replay } = await import('../commands/record.ts');
      if (from === undefined) return end(await record(context()));
      const months = { from, to: to ?? from, codeVersion: await codeVersion() };
      return end(await replay(context(), months));
    });
}

function addSnapshot(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('snapshot')
    .description('write the forecasts of the next month as Parquet and CSV')
    .action(async () => {
      const { snapshot } = await import('../commands/snapshot.ts');
      end(await snapshot(context()));
    });
}

function parseAccept(text: string): string {
  if (text === 'regional') return text;
  throw new InvalidArgumentError('The only allowed value is: regional');
}
