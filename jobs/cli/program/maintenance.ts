import type { Command } from 'commander';
import type { SqlRequest } from '../commands/sql.ts';
import type { RestoreOptions, UndoOptions } from '../commands/undo.ts';
import type { StatusRequest } from '../commands/status.ts';
import { codeVersion } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

type UndoSwitches = Omit<UndoOptions, 'month'>;
type RestoreSwitches = Omit<RestoreOptions, 'month' | 'version'>;

/** Adds the commands that inspect and repair the warehouse and the score store. */
export function addMaintenance(program: Command, { context, end }: ProgramDeps): void {
  program
    .command('status')
    .description('show health, months, runs, checks, store, model, schedules and queues')
    .option('--month <month>', 'show one month, with its rejected rows and the reasons')
    .option('--provider <name>', 'provider of the month, for example caa (default: bts)')
    .option('--json', 'print JSON', false)
    .action(async (options: StatusRequest) => {
      const { status } = await import('../commands/status.ts');
      end(await status(context(), options));
    });
  program
    .command('sql')
    .description('run a read-only query on the warehouse and the lake')
    .argument('<query>', 'for example "from runs"')
    .option('--provider <name>', 'provider whose record is queried, for example caa (default: bts)')
    .option('--json', 'print JSON')
    .option('--csv', 'print CSV')
    .action(async (query: string, options: Omit<SqlRequest, 'query'>) => {
      const { sql } = await import('../commands/sql.ts');
      end(await sql(context(), { query, ...options }));
    });
  program
    .command('check-data')
    .description('run the checks on the loaded data, without building anything')
    .option('--select <name>', 'run one check and print the rows that fail it')
    .action(async (options: { select?: string }) => {
      const { checkData } = await import('../commands/check-data.ts');
      end(await checkData(context(), options));
    });
  program
    .command('shell')
    .description('open a DuckDB prompt on a copy of the warehouse; no job waits for it')
    .action(async () => {
      const { shell } = await import('../commands/shell.ts');
      end(await shell(context()));
    });
  program
    .command('restore')
    .description('restore former versions of months; the replaced versions stay restorable')
    .argument('<month>', 'for example 2025-03, or 2025-03..2025-06,2025-09')
    .argument('[version]', 'version, for a single month (default: the one before the current)')
    .option(
      '--provider <name>',
      'another provider, for example caa; MONTH can then be a year, for the counts of the whole year',
    )
    .option('--levels', 'months of the delay-cause table instead of flights')
    .option('--publish', 'also build the features and publish them')
    .option('--force', 'restore a version with far fewer flights than the current one')
    .option('--dry-run', 'list the versions and the plan, and change nothing')
    .action(async (month: string, version: string | undefined, options: RestoreSwitches) => {
      const { restore } = await import('../commands/undo.ts');
      end(await restore(context(), { month, ...(version && { version }), ...options }));
    });
  program
    .command('drop')
    .description('remove months from the lake and the warehouse; restore undoes it')
    .argument('<month>', 'for example 2025-03, or 2025-03..2025-06,2025-09')
    .option(
      '--provider <name>',
      'another provider, for example caa; MONTH can then be a year, for the counts of the whole year',
    )
    .option('--levels', 'months of the delay-cause table instead of flights')
    .option('--publish', 'also build the features and publish them')
    .action(async (month: string, options: UndoSwitches) => {
      const { drop } = await import('../commands/undo.ts');
      end(await drop(context(), { month, ...options }));
    });
  program
    .command('rebuild')
    .description(
      'rebuild the DuckDB file from the lake; the old file stays until the new one is complete',
    )
    .action(async () => {
      const { rebuild } = await import('../commands/features.ts');
      end(await rebuild(context()));
    });
  addVersions(program, { context, end });
}

/** Adds the commands that change the version of the score store or of the data. */
function addVersions(
  program: Command,
  { context, end }: Pick<ProgramDeps, 'context' | 'end'>,
): void {
  program
    .command('rollback')
    .description('serve a former score store again')
    .argument(
      '[version]',
      'version of the score store (default: the one before the published version)',
    )
    .action(async (version?: string) => {
      const request = { codeVersion: await codeVersion(), ...(version && { version }) };
      const { rollback } = await import('../commands/rollback.ts');
      end(await rollback(context(), request));
    });
  program
    .command('upgrade')
    .description('after an update of the code: back up, migrate and publish for this version')
    .option('--to <folder>', 'folder of the backup (default: BACKUP_TO)')
    .action(async (options: { to?: string }) => {
      const { upgrade } = await import('../commands/upgrade.ts');
      end(await upgrade(context(), { ...options, codeVersion: await codeVersion() }));
    });
}
