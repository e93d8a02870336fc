import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { keepRunning } from '../../warehouse/ground/keep-running.ts';
import type { Env } from '../config.ts';
import { lastWords } from './child-log.ts';
import { logSize } from './log-size.ts';

export type ChildSpec = {
  /** How messages call it, for example `API`. */
  name: string;
  /** The script node runs. */
  script: string;
  args: string[];
  /** What node is told beside. */
  nodeFlags?: readonly string[];
  env: Env;
  /** Gets everything the child prints; its folder must be there. */
  logFile: string;
};

export type ChildWatch = {
  /** It ended by itself and is started again. */
  restarted: (why: string) => void;
  /** It ended at once several times in a row and is left alone. */
  gaveUp: (why: string) => void;
};

export type Child = {
  pid: () => number | undefined;
  /** Asks it to end, kills it after `graceMs`, and waits for its end; may be called twice. */
  stop: (graceMs: number) => Promise<void>;
};

const MAX_EARLY_ENDS = 3;
const ORPHAN_GUARD = new URL('orphan-guard.ts', import.meta.url).href;
const FIRST_RESTART_MS = 200;

/**
 * Runs a node script for as long as this process wants it: started again when it dies.
 * Should this process be killed, the child is told to end by its guard.
 */
export function superviseChild(spec: ChildSpec, watch: ChildWatch): Child {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let logStart = 0;
  let earlyEnds = 0;
  const live = () => {
    logStart = logSize(spec.logFile);
    child = start(spec);
    return endOf(child);
  };
  const ended = (end: End, { isSettled }: { isSettled: boolean }) => {
    const words = end.isKill ? '' : lastWords(spec.logFile, logStart);
    const why = `${spec.name} ended (${end.how})${words}`;
    // A kill says nothing about the child: only its own failures count.
    earlyEnds = isSettled || end.isKill ? 0 : earlyEnds + 1;
    const isHopeless = earlyEnds >= MAX_EARLY_ENDS;
    (isHopeless ? watch.gaveUp : watch.restarted)(why);
    return !isHopeless;
  };
  const running = keepRunning({ live, ended, firstWaitMs: FIRST_RESTART_MS }, stopping.signal);

  return {
    pid: () => child?.pid,
    stop: async (graceMs) => {
      stopping.abort();
      child?.kill('SIGTERM');
      const kill = setTimeout(() => child?.kill('SIGKILL'), graceMs);
      await running;
      clearTimeout(kill);
    },
  };
}

function start(spec: ChildSpec): ChildProcess {
  const log = openSync(spec.logFile, 'a', 0o600);
  try {
    return fork(spec.script, spec.args, {
      env: spec.env,
      execArgv: ['--import', ORPHAN_GUARD, ...(spec.nodeFlags ?? [])],
      // A group of its own: on a Ctrl-C the parent decides who ends when.
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}

type End = { how: string; isKill: boolean };

async function endOf(child: ChildProcess): Promise<End> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return { how: signal ?? `exit code ${code}`, isKill: signal === 'SIGKILL' };
  } catch (error) {
    return { how: String(error), isKill: false };
  }
}
