import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { MetricsAddress } from '../config.ts';
import { collectClusterMetrics, sendMetricsToPrimary } from '../metrics/cluster-metrics.ts';
import { openMetricsPort } from '../metrics/metrics-port.ts';

type Closable = { close: () => Promise<void> };

/**
 * Makes the metrics of this process available. A single process opens the metrics port. One of several processes sends
 * its metrics to the primary process.
 */
export async function exposeMetrics(
  registry: Registry,
  address: MetricsAddress,
  log: Logger,
): Promise<Closable> {
  if (cluster.isWorker) {
    sendMetricsToPrimary(registry);
    return { close: async () => undefined };
  }
  // A single process has the label `worker`, like each process of a cluster. Time series therefore keep their names
  // when the number of processes changes.
  registry.setDefaultLabels({ worker: '1' });
  return openPort(address, () => registry.metrics(), log);
}

/** Opens the metrics port in the primary process, for all worker processes. */
export async function exposeClusterMetrics(
  address: MetricsAddress,
  log: Logger,
): Promise<Closable> {
  return openPort(address, collectClusterMetrics, log);
}

async function openPort(
  address: MetricsAddress,
  read: () => Promise<string>,
  log: Logger,
): Promise<Closable> {
  const metricsPort = await openMetricsPort(address, read);
  log.info({ host: address.host, port: metricsPort.port }, 'metrics served');
  return metricsPort;
}
