import { InvalidArgumentError, type Command } from 'commander';
import { codeVersion } from './arguments.ts';
import type { ProgramDeps } from './deps.ts';

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
