import cluster from 'node:cluster';
import type { Config } from '../config.ts';
import { PortError } from '../errors.ts';
import type { OpenOperations } from '../schemas/operations.ts';
import type { RunningApi } from './serve.ts';

/** Maximum time from the stop signal to the end of the process, in ms. Supervisors expect the end within 3 s. */
const STOP_MAX_MS = 2_900;

/**
 * Answers requests until SIGTERM or SIGINT, then ends the process. `onStopped` runs after the last answer. Throws
 * `PortError` or `WorkerFailedError` if the API cannot listen.
 */
export async function runServer(
  config: Config,
  onStopped: () => Promise<void>,
  openOperations?: OpenOperations,
): Promise<never> {
  const stopping = new AbortController();
  const starting = startServing(config, openOperations, stopping.signal);
  const stop = () => {
    // Ignore a second signal: Ctrl-C reaches worker processes from the terminal and from the primary process.
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(1), STOP_MAX_MS).unref();
    void starting
      .then(({ close }) => close())
      // If the start failed or was interrupted, nothing needs closing.
      .catch(() => undefined)
      .then(onStopped)
      .finally(() => process.exit(0));
  };
  // Listen for signals before the start is complete, because the first process already answers requests.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  try {
    const { port } = await starting;
    // Tells the supervisor that the API has started.
    if (!stopping.signal.aborted) process.send?.({ type: 'listening', port });
  } catch (error) {
    if (!stopping.signal.aborted) throw toPortError(error, config) ?? error;
  }
  return new Promise(() => undefined);
}

/** Answers requests in this process. If several workers are configured, starts the workers instead. */
async function startServing(
  config: Config,
  openOperations: OpenOperations | undefined,
  stopping: AbortSignal,
): Promise<RunningApi> {
  if (config.workers === 1 || cluster.isWorker) {
    return (await import('./serve.ts')).serve(config, undefined, openOperations);
  }
  const [{ startWorkers }, { openLog }] = [await import('./workers.ts'), await import('./log.ts')];
  const log = openLog(config.logLevel);
  const api = await startWorkers(config, log, stopping);
  if (config.metrics === undefined) return api;
  try {
    const { exposeClusterMetrics } = await import('./expose-metrics.ts');
    const metrics = await exposeClusterMetrics(config.metrics, log);
    return {
      ...api,
      close: () => Promise.all([api.close(), metrics.close()]).then(() => undefined),
    };
  } catch (error) {
    await api.close();
    throw error;
  }
}

function toPortError(error: unknown, { port, host }: Config): Error | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const otherPort = port === 65_535 ? port - 1 : port + 1;
    return new PortError(
      `Port ${port} on ${host} is taken. Stop the program that uses it, or choose another port: PORT=${otherPort}`,
    );
  }
  if (code === 'EACCES') {
    return new PortError(`Port ${port} needs privileges. Choose one above 1023: PORT=8080`);
  }
  return undefined;
}
