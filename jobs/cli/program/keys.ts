import type { Command } from 'commander';
import type { ProgramDeps } from '../context.ts';

type KeyOptions = { name: string; email?: string; limit?: string };

/** What an operator does with API keys. */
export function addKeys(program: Command, deps: ProgramDeps): void {
  const { context, end } = deps;
  program
    .command('keys-restore')
    .description('bring keys and counts back from the archive, after Redis lost them')
    .action(async () => {
      const { keysRestore } = await import('../commands/keys-restore.ts');
      end(await keysRestore(context()));
    });
  program
    .command('key')
    .description('make a key and print it, once')
    .requiredOption('--name <name>', 'label of the key')
    .requiredOption('--email <email>', 'contact address')
    .option('--limit <calls>', 'calls per calendar month (100)')
    .option('--live', 'a production key (hw_live_) instead of a test key (hw_test_)')
    .action(async ({ live, ...options }: KeyOptions & { live?: true }) => {
      const { printKey } = await import('../commands/keys.ts');
      const kind = live ? 'live' : 'test';
      end(await printKey(context(), { ...options, kind, isAdmin: false }));
    });
  program
    .command('admin-key')
    .description('make a key that may create keys, and print it, once')
    .requiredOption('--name <name>', 'label of the key')
    .option('--email <email>', 'contact address')
    .action(async (options: KeyOptions) => {
      const { printKey } = await import('../commands/keys.ts');
      end(await printKey(context(), { ...options, kind: 'live', isAdmin: true }));
    });
  for (const [command, isActive, description] of [
    ['key-deactivate', false, 'refuse a key from now on'],
    ['key-activate', true, 'let a key work again'],
  ] as const) {
    program
      .command(command)
      .description(description)
      .requiredOption('--prefix <prefix>', 'first 14 characters of the key')
      .action(async ({ prefix }: { prefix: string }) => {
        const { switchKey } = await import('../commands/keys.ts');
        end(await switchKey(context(), { prefix, isActive }));
      });
  }
}
