import type { Command } from 'commander';
import { codeVersion, SEED_DIR, seedFilesIn } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** What runs until it is stopped, and the seed. */
export function addProcesses(program: Command, deps: ProgramDeps): void {
  const { context, end, script, runServer } = deps;
  program
    .command('run')
    .description('start everything: Redis, worker and API; the first start loads the seed')
    .action(async () => {
      const { run } = await import('../commands/run.ts');
      end(await run(context(), { apiScript: script, seedFiles: seedFilesIn(SEED_DIR) }));
    });
  program
    .command('serve')
    .description('start the API alone, until told to stop')
    .action(async () => {
      // A process that answers requests loads neither DuckDB nor a queue.
      const { serve } = await import('../commands/serve.ts');
      await serve(context().config, runServer);
    });
  program
    .command('seed')
    .description('compute the seed that ships with the code anew from its source files')
    .argument('<folder>', 'folder of the source files, see docs/data-sources.md')
    .action(async (sourceDir: string) => {
      const { seed } = await import('../commands/seed.ts');
      const request = { sourceDir, seedDir: SEED_DIR, codeVersion: await codeVersion() };
      end(await seed(context(), request));
    });
  program
    .command('worker')
    .description('work off the queues until stopped')
    .action(async () => {
      const { config } = context();
      const { worker } = await import('../commands/worker.ts');
      const { createSteps } = await import('../../wiring/steps.ts');
      const stepsConfig = { ...config, codeVersion: await codeVersion() };
      const { codeVersion: version } = stepsConfig;
      end(
        await worker(config, (redis, options) => createSteps(stepsConfig, redis, options), version),
      );
    });
}
