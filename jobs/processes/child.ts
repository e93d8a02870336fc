import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { keepRunning } from '../../warehouse/ground/keep-running.ts';
import type { Env } from '../config.ts';
import { lastOutput, logSize } from './child-log.ts';

export type ChildSpec = {
  /** Name in messages, for example `API`. */
  name: string;
  /** The script that node runs. */
  script: string;
  args: string[];
  /** Additional flags for node. */
  nodeFlags?: readonly string[];
  env: Env;
  /** Receives all output of the child. Its folder must exist. */
  logFile: string;
};

export type ChildWatch = {
  /** Called when the child ended unexpectedly and is restarted. */
  onRestart: (why: string) => void;
  /** Called when the child ended early several times in a row and is not restarted. */
  onGiveUp: (why: string) => void;
};

export type Child = {
  pid: () => number | undefined;
  /** Sends SIGTERM, then SIGKILL after `graceMs`, and waits until the child has ended. May be called twice. */
  stop: (graceMs: number) => Promise<void>;
};

const MAX_EARLY_ENDS = 3;
const ORPHAN_GUARD = new URL('orphan-guard.ts', import.meta.url).href;
const FIRST_RESTART_MS = 200;

/**
 * Runs a node script until it is stopped, and restarts it when it ends. If this process is killed, the child's orphan
 * guard ends the child.
 */
export function superviseChild(spec: ChildSpec, watch: ChildWatch): Child {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let logStart = 0;
  let earlyEnds = 0;
  const run = () => {
    logStart = logSize(spec.logFile);
    child = start(spec);
    return endOf(child);
  };
  const shouldRestart = (end: End, { isStable }: { isStable: boolean }) => {
    const output = end.isKill ? '' : lastOutput(spec.logFile, logStart);
    const why = `${spec.name} ended (${end.how})${output}`;
    // A kill does not count as an early end, because it is not the child's fault.
    earlyEnds = isStable || end.isKill ? 0 : earlyEnds + 1;
    const isHopeless = earlyEnds >= MAX_EARLY_ENDS;
    (isHopeless ? watch.onGiveUp : watch.onRestart)(why);
    return !isHopeless;
  };
  const running = keepRunning(
    { run, shouldRestart, firstWaitMs: FIRST_RESTART_MS },
    stopping.signal,
  );

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
      // The child has its own process group, so that on Ctrl-C the parent decides in which order processes end.
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
