import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export type Measurement = {
  seconds: number;
  /** What the process had of the cores; a busy machine changes it less. */
  cpuSeconds: number;
  /** Most memory the process ever had resident. */
  peakMb: number;
};

/** Runs a script of this folder in a process of its own, and returns what it measured of itself. */
export async function runMeasured(script: string, args: string[]): Promise<Measurement> {
  const file = path.join(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  return JSON.parse(stdout) as Measurement;
}

/** In such a script: does the work and prints its time and the peak memory of the process. */
export async function measure(work: () => Promise<void>): Promise<void> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = (user + system) / 1e6;
  const measurement: Measurement = { seconds, cpuSeconds, peakMb: await peakMb() };
  console.log(JSON.stringify(measurement));
}

/** From the kernel where it tells: getrusage counts what the parent had before the start. */
async function peakMb(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(status) ?? [];
  return (kilobytes ? Number(kilobytes) : process.resourceUsage().maxRSS) / 1000;
}
