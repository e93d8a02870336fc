import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from './context.ts';
import { superviseChild } from '../processes/child.ts';
import type { Child, ChildWatch } from '../processes/child.ts';
import { childLogFile } from '../processes/child-log.ts';
import { countWorkers } from '../queue/queues.ts';
import type { Queues } from '../queue/queues.ts';

const LOOK_MS = 1_000;

/** Starts a worker as a child that is started again when it dies. */
export function startWorkerChild(context: CommandContext, watch: ChildWatch): Child {
  const { config, env, workerScript } = context;
  return superviseChild(
    {
      name: 'worker',
      script: workerScript,
      args: ['worker'],
      env: { ...env, DATA_DIR: config.dataDir },
      logFile: childLogFile(config.dataDir, 'worker'),
    },
    watch,
  );
}

/**
 * Sees to it that some worker runs until `stop`: when there is none, now or later, it starts one of its own.
 * Workers of other commands are used as they are.
 */
export function keepWorker(
  context: CommandContext,
  queues: Queues,
  watch: ChildWatch,
): Pick<Child, 'stop'> {
  const stopping = new AbortController();
  let child: Child | undefined;
  const running = keepLooking();

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const workers = await countWorkers(queues).catch(() => undefined);
      if (workers === 0 && !stopping.signal.aborted) {
        child = startWorkerChild(context, watch);
        return;
      }
      await sleep(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    stop: async (graceMs) => {
      stopping.abort();
      await running;
      await child?.stop(graceMs);
    },
  };
}
