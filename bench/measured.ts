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
 * Runs a script in a separate process and returns the script's own measurement. The script is given by its name in this
 * folder or by its full path.
 */
export async function runMeasured(script: string, args: string[]): Promise<Measurement> {
  const file = path.resolve(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  return JSON.parse(stdout) as Measurement;
}

/**
 * Runs `work` and prints its duration, its CPU time and the process's peak memory. Scripts that `runMeasured` starts
 * call this function.
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

/**
 * Reads the peak memory from the kernel if possible. The peak of getrusage includes the parent's memory from before the
 * start.
 */
async function peakMb(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(status) ?? [];
  return (kilobytes ? Number(kilobytes) : process.resourceUsage().maxRSS) / 1000;
}
