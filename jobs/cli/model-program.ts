import { InvalidArgumentError, type Command } from 'commander';
import { model, modelPin, modelRollback, modelUnpin } from './commands/model.ts';
import { train } from './commands/train.ts';
import type { CommandContext } from './context.ts';

export type ProgramDeps = {
  /** Takes the exit code of a command. */
  end: (exitCode: number) => void;
  readContext: () => CommandContext;
  codeVersion: string;
};

/** The commands that are about models. */
export function addModels(program: Command, { end, readContext, codeVersion }: ProgramDeps): void {
  program
    .command('train')
    .description('train a model on the months of the lake, and release it if it earns it')
    .option(
      '--accept <what>',
      '"regional": release it even if it learned from less of the country than the released one',
      parseAccept,
    )
    .action(async ({ accept }: { accept?: string }) =>
      end(await train(readContext(), accept === undefined ? {} : { acceptsRegional: true })),
    );
  program
    .command('model')
    .description('show the models kept, how they fared, which is served, and the last trainings')
    .option('--json', 'for machines', false)
    .action(async (options: { json: boolean }) => end(await model(readContext(), options)));
  program
    .command('model-pin')
    .description('have every publish take this model, whatever is released')
    .argument('<version>', 'a version that is kept, or "bundled"')
    .action(async (version: string) => end(await modelPin(readContext(), version)));
  program
    .command('model-unpin')
    .description('have publishes take the released model again')
    .action(async () => end(await modelUnpin(readContext())));
  program
    .command('model-rollback')
    .description('make an earlier model the released one; the next publish brings it')
    .argument('[version]', 'a version that is kept, or "bundled"; without it, the one before')
    .action(async (version?: string) =>
      end(await modelRollback(readContext(), { codeVersion, ...(version && { version }) })),
    );
}

function parseAccept(text: string): string {
  if (text === 'regional') return text;
  throw new InvalidArgumentError('It can be regional.');
}
