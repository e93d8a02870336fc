import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import test from 'ava';
import { Counter, Registry } from 'prom-client';
import { clusterMetrics } from '../../../api/metrics/cluster-metrics.ts';

/** A process of the API that answers with those metrics, or ends when it is asked. */
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

test('each process has its own label, and one that ends or is cut off holds up nobody', async (t) => {
  const registry = new Registry();
  new Counter({ name: 'asked_total', help: 'asked', registers: [registry] }).inc(3);
  const metrics = await registry.getMetricsAsJSON();
  const workers = {
    '901': aWorker(901, metrics),
    '902': aWorker(902, metrics),
    '903': aWorker(903, undefined),
    '904': aWorker(904, metrics, false),
  };
  Object.assign(cluster.workers!, workers);
  const text = await clusterMetrics();
  for (const id of Object.keys(workers)) delete cluster.workers![Number(id)];
  t.deepEqual(text.match(/^asked_total.*$/gm), [
    'asked_total{worker="901"} 3',
    'asked_total{worker="902"} 3',
  ]);
  const heard = Object.values(workers).map((worker) => worker.listenerCount('message'));
  t.deepEqual(heard, [0, 0, 0, 0], 'nobody listens on');
});
