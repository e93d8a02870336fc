/** The program `headwind <command>`. Reads the environment and connects the commands with the API. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The compile cache is beside the packages, in a folder to which only the owner of the packages can write. If this
// process cannot write there, every start compiles the code again. With the cache, a start takes half the CPU time.
// This code comes before all other imports, so that the imported files are cached too.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/headwind-node'));

const { runProgram } = await import('./cli/program/run-program.ts');
process.exit(
  await runProgram({
    env: process.env,
    script: fileURLToPath(import.meta.url),
    runServer: async (config, afterwards) => {
      const { runServer } = await import('../api/server/run.ts');
      return runServer(config, afterwards, async () => {
        // An API process opens the queues only when an operator first opens /ops.
        const { openOperations } = await import('./queue/operations.ts');
        const { schedulesOf } = await import('./queue/schedules.ts');
        const { readConfig } = await import('./config.ts');
        return openOperations(config.redisUrl, schedulesOf(readConfig(process.env).schedule));
      });
    },
  }),
);
