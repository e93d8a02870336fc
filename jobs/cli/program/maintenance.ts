import type { Command } from 'commander';
import type { SqlRequest } from '../commands/sql.ts';
import type { UndoOptions } from '../commands/undo.ts';
import type { StatusRequest } from '../commands/status.ts';
import { codeVersion } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

type UndoSwitches = Omit<UndoOptions, 'month'>;

/** What looks into the warehouse and the store, and puts them right. */
export function addMaintenance(program: Command, { context, end }: ProgramDeps): void {
  program
    .command('status')
    .description('show months, runs, store, freshness, schedules and queues')
    .option('--month <month>', 'one month, with what was rejected and why')
    .option('--json', 'for machines', false)
    .action(async (options: StatusRequest) => {
      const { status } = await import('../commands/status.ts');
      end(await status(context(), options));
    });
  program
    .command('sql')
    .description('answer a SELECT from the warehouse, which stays as it is')
    .argument('<query>', 'for example "from runs"')
    .option('--json', 'for machines')
    .option('--csv', 'for a file')
    .action(async (query: string, options: Omit<SqlRequest, 'query'>) => {
      const { sql } = await import('../commands/sql.ts');
      end(await sql(context(), { query, ...options }));
    });
  program
    .command('check-data')
    .description('run the checks on what is loaded now, without building anything')
    .option('--select <name>', 'one check, with the rows it finds')
    .action(async (options: { select?: string }) => {
      const { checkData } = await import('../commands/check-data.ts');
      end(await checkData(context(), options));
    });
  program
    .command('shell')
    .description('open the prompt of DuckDB on a copy of the warehouse that no job waits for')
    .action(async () => {
      const { shell } = await import('../commands/shell.ts');
      end(await shell(context()));
    });
  program
    .command('restore')
    .description('make earlier versions of months the ones that count; what they were is kept')
    .argument('<month>', 'for example 2025-03, or 2025-03..2025-06,2025-09')
    .argument('[version]', 'of one month, one that is kept; without it, the newest')
    .option('--levels', 'months of the delay-cause table')
    .option('--publish', 'build the features and publish them as well')
    .action(async (month: string, version: string | undefined, options: UndoSwitches) => {
      const { restore } = await import('../commands/undo.ts');
      end(await restore(context(), { month, ...(version && { version }), ...options }));
    });
  program
    .command('drop')
    .description('take months out of lake and warehouse; they can be restored')
    .argument('<month>', 'for example 2025-03, or 2025-03..2025-06,2025-09')
    .option('--levels', 'months of the delay-cause table')
    .option('--publish', 'build the features and publish them as well')
    .action(async (month: string, options: UndoSwitches) => {
      const { drop } = await import('../commands/undo.ts');
      end(await drop(context(), { month, ...options }));
    });
  program
    .command('rebuild')
    .description('make the warehouse anew from the lake: the same months, the same marts')
    .action(async () => {
      const { rebuild } = await import('../commands/rebuild.ts');
      end(await rebuild(context()));
    });
  program
    .command('rollback')
    .description('make an earlier score store current again; the API serves it at once')
    .argument('[version]', 'a version that is kept; without it, the one before')
    .action(async (version?: string) => {
      const request = { codeVersion: await codeVersion(), ...(version && { version }) };
      const { rollback } = await import('../commands/rollback.ts');
      end(await rollback(context(), request));
    });
}
