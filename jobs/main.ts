/** The one program: `headwind <command>`. Reads the environment and joins the commands with the API. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Beside the packages, where only who installs them writes; where nobody may, every start compiles. Before anything else
// is loaded, so that all of it is found there: the second start of a command takes about half the CPU of the first.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/headwind-node'));

const { runProgram } = await import('./cli/program/run-program.ts');
process.exit(
  await runProgram({
    env: process.env,
    script: fileURLToPath(import.meta.url),
    runServer: async (config, afterwards) => {
      const { runServer } = await import('../api/server/run.ts');
      return runServer(config, afterwards, async () => {
        // A process that answers requests knows no queue until an operator looks at them.
        const { openOperations } = await import('./queue/operations.ts');
        const { schedulesOf } = await import('./queue/schedules.ts');
        const { readConfig } = await import('./config.ts');
        return openOperations(config.redisUrl, schedulesOf(readConfig(process.env).schedule));
      });
    },
  }),
);
