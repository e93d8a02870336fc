import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listening, type ServerProcess } from '../stage/server-process.ts';

const BARE = path.join(import.meta.dirname, 'serve-bare.ts');
/** Unit of the times in /proc, on every Linux. */
const TICKS_PER_SECOND = 100;

/** What a bare Koa does beyond answering `{ok:true}`: the API's own Redis call, and a body as long as its answers. */
export type RedisWork = { redisUrl: string; apiKey: string; bodyBytes: number };

/** Starts a bare Koa. */
export async function startBare(work?: RedisWork): Promise<ServerProcess> {
  const args = work ? [work.redisUrl, work.apiKey, String(work.bodyBytes)] : [];
  return listening(fork(BARE, args));
}

/** What a process has used so far; NaN off Linux and for one that has ended. */
export type Usage = {
  cpuSeconds: number;
  /** Memory resident now, and the most that ever was, in MB. */
  residentMb: number;
  peakMb: number;
};

/** What the process has used so far. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat = '', status = ''] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  // The name of the program, in brackets, may hold blanks; user and system time are 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const megabytes = (name: string) =>
    Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1000;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    residentMb: megabytes('VmRSS'),
    peakMb: megabytes('VmHWM'),
  };
}
