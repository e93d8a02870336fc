import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export type Measurement = {
  seconds: number;
  /** CPU time of the process. Other work on the machine affects this time less than `seconds`. */
  cpuSeconds: number;
  /** Peak resident memory of the process. */
  peakMb: number;
};

/**
 * Runs a script, given by its name in this folder or its full path, in a separate process, and returns its own
 * measurement.
 */
export async function runMeasured(script: string, args: string[]): Promise<Measurement> {
  const file = path.resolve(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  return JSON.parse(stdout) as Measurement;
}

/**
 * Runs `work` and prints the time that `work` takes and the process's peak memory; for scripts that `runMeasured`
 * starts.
 */
export async function measure(work: () => Promise<void>): Promise<void> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = (user + system) / 1e6;
  const measurement: Measurement = { seconds, cpuSeconds, peakMb: await peakMb() };
  console.log(JSON.stringify(measurement));
}

/** Reads the peak from the kernel if possible, because getrusage includes the parent's memory from before the start. */
async function peakMb(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(status) ?? [];
  return (kilobytes ? Number(kilobytes) : process.resourceUsage().maxRSS) / 1000;
}
