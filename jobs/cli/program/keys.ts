import type { Command } from 'commander';
import type { ProgramDeps } from '../context.ts';

type KeyOptions = { name: string; email?: string; limit?: string; expires?: string };

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
    .option('--limit <calls>', 'calls per calendar month (100), or unlimited')
    .option('--expires <date>', 'the day it ends, YYYY-MM-DD in UTC')
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
  addOffice(program, deps);
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

/** What an operator does with keys that are there. */
function addOffice(program: Command, { context, end }: ProgramDeps): void {
  const prefix = ['--prefix <prefix>', 'first 14 characters of the key'] as const;
  const office = () => import('../commands/key-office.ts');
  program
    .command('keys')
    .description('list keys with their use; with a prefix, the use of that one by endpoint')
    .option(...prefix)
    .option('--json', 'as JSON')
    .action(async (options: { prefix?: string; json?: true }) => {
      const { listKeys, showKey } = await office();
      const isJson = options.json === true;
      const done = options.prefix
        ? showKey(context(), options.prefix, isJson)
        : listKeys(context(), isJson);
      end(await done);
    });
  program
    .command('key-limit')
    .description('change the calls a key has per calendar month, at once')
    .requiredOption(...prefix)
    .requiredOption('--limit <calls>', 'calls per calendar month, or unlimited')
    .action(async (options: { prefix: string; limit: string }) => {
      end(await (await office()).limitKey(context(), options));
    });
  program
    .command('key-expiry')
    .description('have a key end on a day, or never')
    .requiredOption(...prefix)
    .requiredOption('--expires <date>', 'the day it ends, YYYY-MM-DD in UTC, or never')
    .action(async (options: { prefix: string; expires: string }) => {
      end(await (await office()).expireKey(context(), options));
    });
  program
    .command('key-rotate')
    .description('make a new key of the same account and print it, once')
    .requiredOption(...prefix)
    .option('--grace <time>', 'how long the old one works beside it: 7d, 12h, 30m, 0', '7d')
    .action(async (options: { prefix: string; grace: string }) => {
      end(await (await office()).rotateKey(context(), options));
    });
}
