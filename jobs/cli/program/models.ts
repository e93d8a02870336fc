import { InvalidArgumentError, type Command } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import type { BacktestOptions } from '../commands/backtest.ts';
import {
  codeVersion,
  parseDay,
  parseMonths,
  parseYear,
  SEED_DIR,
  seedFilesIn,
} from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** The commands that are about models. */
export function addModels(program: Command, { end, context }: ProgramDeps): void {
  program
    .command('train')
    .description('train a model on the months of the lake, and release it if it earns it')
    .option(
      '--accept <what>',
      '"regional": release it even if it learned from less of the country than the released one',
      parseAccept,
    )
    .action(async ({ accept }: { accept?: string }) => {
      const { train } = await import('../commands/train.ts');
      end(await train(context(), accept === undefined ? {} : { acceptsRegional: true }));
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
    .command('model')
    .description('show the models kept, how they fared, which is served, and the last trainings')
    .option('--json', 'for machines', false)
    .action(async (options: { json: boolean }) => {
      const { model } = await import('../commands/model.ts');
      end(await model(context(), options));
    });
  program
    .command('model-pin')
    .description('have every publish take this model, whatever is released')
    .argument('<version>', 'a version that is kept, or "bundled"')
    .action(async (version: string) => {
      const { modelPin } = await import('../commands/model.ts');
      end(await modelPin(context(), version));
    });
  program
    .command('model-unpin')
    .description('have publishes take the released model again')
    .action(async () => {
      const { modelUnpin } = await import('../commands/model.ts');
      end(await modelUnpin(context()));
    });
  program
    .command('model-rollback')
    .description('make an earlier model the released one; the next publish brings it')
    .argument('[version]', 'a version that is kept, or "bundled"; without it, the one before')
    .action(async (version?: string) => {
      const { modelRollback } = await import('../commands/model.ts');
      const request = { codeVersion: await codeVersion(), ...(version && { version }) };
      end(await modelRollback(context(), request));
    });
}

function parseAccept(text: string): string {
  if (text === 'regional') return text;
  throw new InvalidArgumentError('It can be regional.');
}
