import type { Command } from 'commander';
import { codeVersion, SEED_DIR, seedFilesIn } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** Adds the commands that run until they are stopped, and the command for the seed. */
export function addProcesses(program: Command, deps: ProgramDeps): void {
  const { context, end, script, runServer } = deps;
  program
    .command('run')
    .description('start Redis, a worker and the API; the first start loads the bundled history')
    .action(async () => {
      const { run } = await import('../commands/run.ts');
      end(await run(context(), { apiScript: script, seedFiles: seedFilesIn(SEED_DIR) }));
    });
  program
    .command('serve')
    .description('start only the API')
    .action(async () => {
      // An API process loads neither DuckDB nor a queue.
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
