import cluster, { type Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];
type Message = { type?: string; metrics?: Metrics };

const REQUEST = 'metrics request';
const ANSWER = 'metrics';
/** Worker processes that do not answer within this time are missing from the metrics. */
const TIMEOUT_MS = 2_000;

/** Sends the metrics of this worker process to the primary process on request. */
export function sendMetricsToPrimary(registry: Registry): void {
  process.on('message', (message: Message) => {
    if (message.type !== REQUEST) return;
    void registry.getMetricsAsJSON().then((metrics) => process.send?.({ type: ANSWER, metrics }));
  });
}

/**
 * Returns the metrics of all API processes. The label `worker` names the process. The counts are not added up, because
 * the sum would fall when a process dies. Prometheus would read this as a restart of all processes.
 */
export async function collectClusterMetrics(): Promise<string> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const answers = await Promise.all(workers.map(requestMetrics));
  return AggregatorRegistry.aggregate(answers).metrics();
}

async function requestMetrics(worker: Worker): Promise<Metrics> {
  const { promise, resolve } = Promise.withResolvers<Metrics>();
  const skip = () => resolve([]);
  const onMessage = ({ type, metrics = [] }: Message) => {
    if (type === ANSWER) resolve(addWorkerLabel(metrics, String(worker.id)));
  };
  const timer = setTimeout(skip, TIMEOUT_MS);
  worker.on('message', onMessage);
  worker.once('exit', skip);
  try {
    if (worker.isConnected()) worker.send({ type: REQUEST });
    else skip();
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', onMessage);
    worker.off('exit', skip);
  }
}

/** Adds the label `worker` to all values. */
function addWorkerLabel(metrics: Metrics, worker: string): Metrics {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
  }));
}
