import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { waitForPort, type ServerProcess } from '../stage/server-process.ts';

const BARE = path.join(import.meta.dirname, 'serve-bare.ts');
/** Clock ticks per second, the unit of the times in /proc. It is the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** Additional work for a bare Koa: the API's Redis call, and a body as long as the API's answers. */
export type RedisWork = { redisUrl: string; apiKey: string; bodyBytes: number };

/** Starts a bare Koa; without `work` it answers `{ok:true}`. */
export async function startBare(work?: RedisWork): Promise<ServerProcess> {
  const args = work ? [work.redisUrl, work.apiKey, String(work.bodyBytes)] : [];
  return waitForPort(fork(BARE, args));
}

/** Resources that a process has used. NaN after the process has ended, and on systems other than Linux. */
export type Usage = {
  cpuSeconds: number;
  /** Resident memory now and at its peak, in MB. */
  residentMb: number;
  peakMb: number;
};

/** Reads the usage of a process from /proc. */
export async function readUsage(pid: number): Promise<Usage> {
  const [stat = '', status = ''] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  // The program's name, in brackets, may contain blanks; user and system time are the fields 12 and 13 after the name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const megabytes = (name: string) =>
    Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1000;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    residentMb: megabytes('VmRSS'),
    peakMb: megabytes('VmHWM'),
  };
}
