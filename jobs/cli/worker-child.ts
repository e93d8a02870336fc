import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from './context.ts';
import { superviseChild, type Child, type ChildWatch } from '../processes/child.ts';
import { childLogFile } from '../processes/child-log.ts';
import { countWorkers, type Queues } from '../queue/queues.ts';

const POLL_MS = 1_000;

/**
 * Starts a worker as a child process, which is restarted when it dies. Only a worker of the service registers the
 * schedules.
 */
export function startWorkerChild(
  context: CommandContext,
  watch: ChildWatch,
  { isService }: { isService: boolean },
): Child {
  const { config, env, workerScript } = context;
  return superviseChild(
    {
      name: 'worker',
      script: workerScript,
      args: isService ? ['worker'] : ['worker', '--for-command'],
      env: { ...env, DATA_DIR: config.dataDir },
      logFile: childLogFile(config.dataDir, 'worker'),
    },
    watch,
  );
}

/**
 * Makes sure that a worker runs until `stop`. Whenever no worker is connected, starts one as a child process. Starts no
 * worker while another command's worker is connected.
 */
export function ensureWorker(
  context: CommandContext,
  queues: Queues,
  watch: ChildWatch,
): Pick<Child, 'stop'> {
  const stopping = new AbortController();
  let child: Child | undefined;
  const running = watchForWorkers();

  async function watchForWorkers(): Promise<void> {
    while (!stopping.signal.aborted) {
      const workers = await countWorkers(queues).catch(() => undefined);
      if (workers === 0 && !stopping.signal.aborted) {
        child = startWorkerChild(context, watch, { isService: false });
        return;
      }
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
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
