import type { Command } from 'commander';
import type { ScheduleOptions } from '../commands/schedule.ts';
import { codeVersion, providerSeedFilesIn, SEED_DIR, seedFilesIn } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** Adds the commands that run until they are stopped, and the commands for their schedules and the seed. */
export function addProcesses(program: Command, deps: ProgramDeps): void {
  const { context, end, script, runServer } = deps;
  program
    .command('run')
    .description('start Redis, a worker and the API; the first start loads the bundled history')
    .action(async () => {
      const { run } = await import('../commands/run.ts');
      end(
        await run(context(), {
          apiScript: script,
          seedFiles: [...seedFilesIn(SEED_DIR), ...providerSeedFilesIn(SEED_DIR)],
        }),
      );
    });
  program
    .command('serve')
    .description('start only the API')
    .action(async () => {
      // Imports the command here, so that an API process loads neither DuckDB nor a queue.
      const { serve } = await import('../commands/serve.ts');
      await serve(context().config, runServer);
    });
  program
    .command('seed')
    .description('compute the bundled history from its source files')
    .argument('<folder>', 'folder of the source files; see docs/data-sources.md')
    .action(async (sourceDir: string) => {
      const { seed } = await import('../commands/seed.ts');
      const request = { sourceDir, seedDir: SEED_DIR, codeVersion: await codeVersion() };
      end(await seed(context(), request));
    });
  program
    .command('worker')
    .description('start only a worker, which processes the queues')
    .option('--for-command', 'leave the schedules of the service unchanged', false)
    .action(async ({ forCommand }: { forCommand: boolean }) => {
      const { config } = context();
      const { worker } = await import('../commands/worker.ts');
      const { createSteps } = await import('../../wiring/steps.ts');
      const stepsConfig = { ...config, codeVersion: await codeVersion() };
      const kind = { codeVersion: stepsConfig.codeVersion, isService: !forCommand };
      end(await worker(config, (redis, options) => createSteps(stepsConfig, redis, options), kind));
    });
  program
    .command('schedule')
    .description('list the schedules with their next and last runs; pause or change one')
    .argument('[name]', 'the schedule, for example news')
    .option('--pattern <cron>', 'new times: a cron expression, or off')
    .option('--pause', 'do not run until resumed', false)
    .option('--resume', 'end a pause', false)
    .option('--reset', 'return to the settings of the service', false)
    .option('--json', 'print JSON', false)
    .action(async (id: string | undefined, options: Omit<ScheduleOptions, 'id'>) => {
      const { schedule } = await import('../commands/schedule.ts');
      const request = { ...options, ...(id !== undefined && { id }) };
      end(await schedule(context(), request, await codeVersion()));
    });
  program
    .command('restore-drill')
    .description(
      'restore the newest backup of BACKUP_TO into a temporary folder, and compare its answers with those of the published store',
    )
    .action(async () => {
      const { restoreDrill } = await import('../commands/restore-backup.ts');
      end(await restoreDrill(context()));
    });
}
