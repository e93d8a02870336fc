import cluster, { type Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];
type Message = { type?: string; metrics?: Metrics };

const ASK = 'metrics asked';
const ANSWER = 'metrics';
/** One that does not answer in time is left out; the others are told. */
const PATIENCE_MS = 2_000;

/** Has this process, one of several of the API, tell its metrics to the one that runs them. */
export function tellMetrics(registry: Registry): void {
  process.on('message', (message: Message) => {
    if (message.type !== ASK) return;
    void registry.getMetricsAsJSON().then((metrics) => process.send?.({ type: ANSWER, metrics }));
  });
}

/**
 * The metrics of all processes of the API, each under a label `worker` of its own. They are not summed: one that dies takes
 * its counts along, and a sum that falls would look like a new start of all.
 */
export async function clusterMetrics(): Promise<string> {
  const workers = Object.values(cluster.workers ?? {}).filter((one) => one !== undefined);
  const told = await Promise.all(workers.map(metricsOf));
  return AggregatorRegistry.aggregate(told).metrics();
}

async function metricsOf(worker: Worker): Promise<Metrics> {
  const { promise, resolve } = Promise.withResolvers<Metrics>();
  const nothing = () => resolve([]);
  const hear = ({ type, metrics = [] }: Message) => {
    if (type === ANSWER) resolve(labelled(metrics, String(worker.id)));
  };
  const timer = setTimeout(nothing, PATIENCE_MS);
  worker.on('message', hear);
  worker.once('exit', nothing);
  try {
    if (worker.isConnected()) worker.send({ type: ASK });
    else nothing();
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', hear);
    worker.off('exit', nothing);
  }
}

/** The same values, each saying which worker tells it. */
export function labelled(metrics: Metrics, worker: string): Metrics {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
  }));
}
