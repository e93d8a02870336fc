import type { Command } from 'commander';
import type { ProgramDeps } from '../context.ts';

type KeyOptions = { name: string; email?: string; limit?: string; expires?: string };

/** Adds the commands for API keys. */
export function addKeys(program: Command, deps: ProgramDeps): void {
  const { context, end } = deps;
  program
    .command('keys-restore')
    .description('restore keys and counts from the archive after Redis lost its data')
    .action(async () => {
      const { keysRestore } = await import('../commands/keys-restore.ts');
      end(await keysRestore(context()));
    });
  program
    .command('key')
    .description('create a test key, or a production key with --live; it is printed only once')
    .requiredOption('--name <name>', 'label of the key')
    .requiredOption('--email <email>', 'contact address')
    .option('--limit <calls>', 'calls per calendar month, or unlimited (default: 100)')
    .option('--expires <date>', 'last day of the key, YYYY-MM-DD in UTC')
    .option('--live', 'create a production key (hw_live_) instead of a test key (hw_test_)')
    .action(async ({ live, ...options }: KeyOptions & { live?: true }) => {
      const { printKey } = await import('../commands/keys.ts');
      const kind = live ? 'live' : 'test';
      end(await printKey(context(), { ...options, kind, isAdmin: false }));
    });
  program
    .command('admin-key')
    .description(
      'create an admin key, which may create keys over HTTP and open /ops; it is printed only once',
    )
    .requiredOption('--name <name>', 'label of the key')
    .option('--email <email>', 'contact address')
    .action(async (options: KeyOptions) => {
      const { printKey } = await import('../commands/keys.ts');
      end(await printKey(context(), { ...options, kind: 'live', isAdmin: true }));
    });
  addKeyAdmin(program, deps);
  program
    .command('watches')
    .description('count watches, and list receivers that do not accept their messages')
    .action(async () => {
      const { watches } = await import('../commands/watches.ts');
      end(await watches(context()));
    });
  addSigningKeys(program, deps);
  for (const [command, isActive, description] of [
    ['key-deactivate', false, 'deactivate a key'],
    ['key-activate', true, 'activate a deactivated key again'],
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

/** Adds the commands for existing keys. */
function addKeyAdmin(program: Command, { context, end }: ProgramDeps): void {
  const prefix = ['--prefix <prefix>', 'first 14 characters of the key'] as const;
  const loadCommands = () => import('../commands/key-admin.ts');
  program
    .command('keys')
    .description(
      'list keys with limit, use and last call; --prefix shows one key with its calls by endpoint',
    )
    .option(...prefix)
    .option('--json', 'print JSON')
    .action(async (options: { prefix?: string; json?: true }) => {
      const { listKeys, showKey } = await loadCommands();
      const isJson = options.json === true;
      const exitCode = options.prefix
        ? showKey(context(), options.prefix, isJson)
        : listKeys(context(), isJson);
      end(await exitCode);
    });
  program
    .command('key-limit')
    .description('change the monthly limit of a key, with immediate effect')
    .requiredOption(...prefix)
    .requiredOption('--limit <calls>', 'calls per calendar month, or unlimited')
    .action(async (options: { prefix: string; limit: string }) => {
      end(await (await loadCommands()).limitKey(context(), options));
    });
  program
    .command('key-expiry')
    .description('set the last day of a key')
    .requiredOption(...prefix)
    .requiredOption('--expires <date>', 'last day of the key, YYYY-MM-DD in UTC, or never')
    .action(async (options: { prefix: string; expires: string }) => {
      end(await (await loadCommands()).expireKey(context(), options));
    });
  program
    .command('key-rotate')
    .description(
      'replace a key with a new one that has its limit and counts; the old key works until the grace period ends',
    )
    .requiredOption(...prefix)
    .option('--grace <time>', 'time for which the old key still works: 7d, 12h, 30m, 0', '7d')
    .action(async (options: { prefix: string; grace: string }) => {
      end(await (await loadCommands()).rotateKey(context(), options));
    });
}

/** Adds the commands for the keys that sign answers. */
function addSigningKeys(program: Command, { context, end }: ProgramDeps): void {
  const loadCommands = () => import('../commands/signing-keys.ts');
  program
    .command('signing-keys')
    .description('list the keys that sign answers')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      end(await (await loadCommands()).listSigningKeys(context(), json === true));
    });
  program
    .command('signing-key-rotate')
    .description('sign answers with a new key; former keys still verify')
    .action(async () => {
      end(await (await loadCommands()).rotateSigningKey(context()));
    });
  program
    .command('signing-key-revoke')
    .description('revoke a key that leaked; answers that it signed no longer verify')
    .requiredOption('--kid <kid>', 'id of the key, from signing-keys')
    .action(async ({ kid }: { kid: string }) => {
      end(await (await loadCommands()).revokeKey(context(), kid));
    });
}
