import type { Command } from 'commander';
import type { StatusRequest } from '../commands/status.ts';
import { codeVersion } from './arguments.ts';
import type { ProgramDeps } from './deps.ts';

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
    .argument('<query>', 'for example "from ops.runs"')
    .option('--json', 'for machines', false)
    .action(async (query: string, { json }: { json: boolean }) => {
      const { sql } = await import('../commands/sql.ts');
      end(await sql(context(), { query, json }));
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
