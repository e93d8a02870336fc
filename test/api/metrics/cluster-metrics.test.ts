import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import test from 'ava';
import { Counter, Registry } from 'prom-client';
import { collectClusterMetrics } from '../../../api/metrics/cluster-metrics.ts';

/** An API process that answers a request with the metrics; without metrics it ends instead. */
function aWorker(id: number, metrics: object[] | undefined, isConnected = true): Worker {
  const worker = new EventEmitter();
  const answer = () => {
    worker.emit('message', { type: 'something else' });
    if (metrics) worker.emit('message', { type: 'metrics', metrics });
    else worker.emit('exit');
  };
  const send = () => setImmediate(answer);
  return Object.assign(worker, { id, send, isConnected: () => isConnected }) as unknown as Worker;
}

test('each process has its own label, and a process that ends or is disconnected does not delay the others', async (t) => {
  const registry = new Registry();
  new Counter({ name: 'calls_total', help: 'calls', registers: [registry] }).inc(3);
  const metrics = await registry.getMetricsAsJSON();
  const workers = {
    '901': aWorker(901, metrics),
    '902': aWorker(902, metrics),
    '903': aWorker(903, undefined),
    '904': aWorker(904, metrics, false),
  };
  Object.assign(cluster.workers!, workers);
  const text = await collectClusterMetrics();
  for (const id of Object.keys(workers)) delete cluster.workers![Number(id)];
  t.deepEqual(text.match(/^calls_total.*$/gm), [
    'calls_total{worker="901"} 3',
    'calls_total{worker="902"} 3',
  ]);
  const listenerCounts = Object.values(workers).map((worker) => worker.listenerCount('message'));
  t.deepEqual(listenerCounts, [0, 0, 0, 0], 'all listeners are removed');
});
