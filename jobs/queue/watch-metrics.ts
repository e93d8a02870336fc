import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../api/metrics/process-registry.ts';
import type { RecordDelivery } from './watch-deliveries.ts';

/** A scrape must not wait while Redis is unreachable. */
const READ_DEADLINE_MS = 500;

const OUTCOMES = ['delivered', 'failed', 'dropped'] as const;

/** Creates the metrics of watches, and returns the function that counts deliveries. No label names an address. */
export function countDeliveries(
  registry: Registry,
  countPending: () => Promise<number>,
): RecordDelivery {
  const deliveries = new Counter({
    name: 'headwind_watch_deliveries_total',
    help: 'Attempts to deliver messages of watches, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) deliveries.inc({ outcome }, 0);
  addGauge(registry, {
    name: 'headwind_watches_pending',
    help: 'Watches with messages that are not delivered yet.',
    async collect() {
      const reading = countPending().catch(() => undefined);
      const deadline = sleep(READ_DEADLINE_MS, undefined, { ref: false });
      const pending = await Promise.race([reading, deadline]);
      if (pending !== undefined) this.set(pending);
    },
  });
  return (outcome, count) => deliveries.inc({ outcome }, count);
}
