import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Registry, Gauge, type GaugeConfiguration } from 'prom-client';
import packageFile from '../../package.json' with { type: 'json' };

/**
 * Interval between two measurements of the event loop. Delays shorter than this interval are not detected. Each
 * measurement wakes the process, so a shorter interval costs CPU time.
 */
const SAMPLE_EVERY_MS = 20;

/** Creates a registry with the metrics of this process: memory, CPU, file descriptors, event-loop delay, release. */
export function createProcessRegistry(): Registry {
  const registry = new Registry();
  addMemory(registry);
  addDescriptors(registry);
  addLoopDelay(registry);
  new Counter({
    name: 'headwind_process_cpu_seconds_total',
    help: 'CPU time of the process, user and system together.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  }).inc(0);
  addGauge(registry, {
    name: 'headwind_process_start_time_seconds',
    help: 'Start time of the process, as Unix time.',
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  addGauge(registry, {
    name: 'headwind_build_info',
    help: 'Always 1; the labels are the release and the Node version.',
    labelNames: ['version', 'node'],
  }).set({ version: packageFile.version, node: process.version }, 1);
  return registry;
}

function addMemory(registry: Registry): void {
  addGauge(registry, {
    name: 'headwind_process_resident_memory_bytes',
    help: 'Memory of the process, including DuckDB and the model.',
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  addGauge(registry, {
    name: 'headwind_nodejs_heap_used_bytes',
    help: 'Memory of JavaScript objects.',
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
}

function addDescriptors(registry: Registry): void {
  addGauge(registry, {
    name: 'headwind_process_open_fds',
    help: 'Open file descriptors, sockets included.',
    async collect() {
      const open = await readdir('/proc/self/fd').catch(() => undefined);
      if (open) this.set(open.length);
    },
  });
  addGauge(registry, {
    name: 'headwind_process_max_fds',
    help: 'File descriptors the process may open.',
    async collect() {
      const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
      const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
      if (limit !== undefined) this.set(Number(limit));
    },
  });
}

/** Adds gauges for the largest and the 99th-percentile delay of the event loop since the previous scrape. */
function addLoopDelay(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  delay.enable();
  // Node measures the whole time between two samples. The delay is this time minus the intended interval.
  const toDelaySeconds = (ns: number) => Math.max(0, ns / 1e9 - SAMPLE_EVERY_MS / 1000);
  addGauge(registry, {
    name: 'headwind_event_loop_delay_p99_seconds',
    help: 'Delay of the event loop that one sample in a hundred exceeded since the last scrape.',
    collect() {
      this.set(delay.count === 0 ? 0 : toDelaySeconds(delay.percentile(99)));
    },
  });
  addGauge(registry, {
    name: 'headwind_event_loop_delay_max_seconds',
    help: 'Longest delay of the event loop since the last scrape.',
    collect() {
      this.set(delay.count === 0 ? 0 : toDelaySeconds(delay.max));
      // Gauges are collected in the order of registration. The other gauge has therefore read its value before this
      // reset.
      delay.reset();
    },
  });
}

/** Adds a gauge to the registry. The gauge calls `collect` at each scrape. */
export function addGauge<Label extends string>(
  registry: Registry,
  gauge: Omit<GaugeConfiguration<Label>, 'registers'>,
): Gauge<Label> {
  return new Gauge<Label>({ ...gauge, registers: [registry] });
}
