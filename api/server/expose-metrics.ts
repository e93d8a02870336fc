import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { MetricsPlace } from '../config.ts';
import { clusterMetrics, tellMetrics } from '../metrics/cluster-metrics.ts';
import { openMetricsPort } from '../metrics/metrics-port.ts';

type Closable = { close: () => Promise<void> };

/**
 * Lets operators read the metrics of this process: at the port, or, where it is one of several, through the process that
 * runs them.
 */
export async function exposeMetrics(
  registry: Registry,
  place: MetricsPlace,
  log: Logger,
): Promise<Closable> {
  if (cluster.isWorker) {
    tellMetrics(registry);
    return { close: async () => undefined };
  }
  // As where there are several: a series keeps its name when their number changes.
  registry.setDefaultLabels({ worker: '1' });
  return open(place, () => registry.metrics(), log);
}

/** Lets operators read the metrics of the processes this one runs. */
export async function exposeClusterMetrics(place: MetricsPlace, log: Logger): Promise<Closable> {
  return open(place, clusterMetrics, log);
}

async function open(
  place: MetricsPlace,
  read: () => Promise<string>,
  log: Logger,
): Promise<Closable> {
  const opened = await openMetricsPort(place, read);
  log.info({ host: place.host, port: opened.port }, 'metrics served');
  return opened;
}
