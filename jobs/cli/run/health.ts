import { setTimeout as sleep } from 'node:timers/promises';
import type { JobsConfig } from '../../config.ts';
import { CommandError } from '../../errors.ts';

const POLL_MS = 100;
const REQUEST_TIMEOUT_MS = 2_000;
const ANSWER_PATIENCE_MS = 30_000;
const SERVE_PATIENCE_MS = 30_000;
/** An API that has just begun to answer may still be reading the store. */
const LOADING_PATIENCE_MS = 1_500;

/** The address people on this machine use. */
export function apiAddress({ host, port }: JobsConfig): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Waits until the API answers, whatever it says. */
export async function untilAnswering(config: JobsConfig, signal: AbortSignal): Promise<void> {
  const status = await poll(config, signal, ANSWER_PATIENCE_MS, (seen) => seen !== undefined);
  if (status === undefined) throw new CommandError('The API does not answer: see logs/api.log');
}

/** Whether the API, which has just begun to answer, has a score store to answer from. */
export async function isServing(config: JobsConfig, signal: AbortSignal): Promise<boolean> {
  return isGood(await poll(config, signal, LOADING_PATIENCE_MS, isGood));
}

/** Waits until the API serves the store that was just published. */
export async function untilServing(config: JobsConfig, signal: AbortSignal): Promise<void> {
  if (isGood(await poll(config, signal, SERVE_PATIENCE_MS, isGood))) return;
  throw new CommandError(
    'A score store is published, but the API does not serve it: see logs/api.log',
  );
}

/** The last status seen, good enough or not; `undefined` when nothing answered. */
async function poll(
  config: JobsConfig,
  signal: AbortSignal,
  patienceMs: number,
  isEnough: (status: number | undefined) => boolean,
): Promise<number | undefined> {
  const until = Date.now() + patienceMs;
  for (;;) {
    signal.throwIfAborted();
    const status = await healthStatus(config);
    if (isEnough(status) || Date.now() > until) return status;
    await sleep(POLL_MS);
  }
}

async function healthStatus(config: JobsConfig): Promise<number | undefined> {
  try {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await fetch(`${apiAddress(config)}/api/health`, { signal: timeout });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** 503: no store, or no Redis. */
function isGood(status: number | undefined): boolean {
  return status !== undefined && status !== 503;
}
