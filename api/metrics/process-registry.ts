import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Registry } from 'prom-client';
import packageFile from '../../package.json' with { type: 'json' };
import { addGauge } from './gauge.ts';

/** Each look at the event loop wakes the process; a delay shorter than this cannot be told from none. */
const LOOK_EVERY_MS = 20;

/** What Node and the kernel tell of this process: memory, CPU, descriptors, event-loop delay, release. */
export function processRegistry(): Registry {
  const registry = new Registry();
  addMemory(registry);
  addDescriptors(registry);
  addLoopDelay(registry);
  new Counter({
    name: 'headwind_process_cpu_seconds_total',
    help: 'CPU time of the process, of user and system together.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  }).inc(0);
  addGauge(registry, {
    name: 'headwind_process_start_time_seconds',
    help: 'When the process began, as Unix time.',
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  addGauge(registry, {
    name: 'headwind_build_info',
    help: 'Always 1; says which release runs, on which Node.',
    labelNames: ['version', 'node'],
  }).set({ version: packageFile.version, node: process.version }, 1);
  return registry;
}

function addMemory(registry: Registry): void {
  addGauge(registry, {
    name: 'headwind_process_resident_memory_bytes',
    help: 'Memory of the process, with what DuckDB and the model hold.',
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
      const [, most] = /^Max open files +(\d+)/m.exec(limits) ?? [];
      if (most !== undefined) this.set(Number(most));
    },
  });
}

/** How much later than planned the event loop came to its timers since the scrape before. */
function addLoopDelay(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  delay.enable();
  // What is measured is the time from look to look.
  const late = (ns: number) => Math.max(0, ns / 1e9 - LOOK_EVERY_MS / 1000);
  addGauge(registry, {
    name: 'headwind_event_loop_delay_p99_seconds',
    help: 'Delay of the event loop that one look in a hundred exceeded since the last scrape.',
    collect() {
      this.set(delay.count === 0 ? 0 : late(delay.percentile(99)));
    },
  });
  addGauge(registry, {
    name: 'headwind_event_loop_delay_max_seconds',
    help: 'Longest delay of the event loop since the last scrape.',
    collect() {
      this.set(delay.count === 0 ? 0 : late(delay.max));
      // Asked last: the registry asks in the order of adding.
      delay.reset();
    },
  });
}
