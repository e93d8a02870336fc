import { setTimeout as sleep } from 'node:timers/promises';
import type { JobsConfig } from '../../config.ts';
import { sendRequest } from '../../../warehouse/ground/http-exchange.ts';
import { CommandError } from '../../errors.ts';

const POLL_MS = 100;
const REQUEST_TIMEOUT_MS = 2_000;
const ANSWER_PATIENCE_MS = 30_000;
const SERVE_PATIENCE_MS = 30_000;
/** How long to wait for an API that answers but has not read the store yet. */
const LOADING_PATIENCE_MS = 1_500;

/** Returns the address of the API for people on this machine. */
export function apiAddress({ host, port }: JobsConfig): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Waits until the API answers, with any status. Throws `CommandError` after 30 seconds. */
export async function waitUntilAnswering(config: JobsConfig, signal: AbortSignal): Promise<void> {
  const status = await poll(config, signal, ANSWER_PATIENCE_MS, (seen) => seen !== undefined);
  if (status === undefined) {
    throw new CommandError('The API does not answer; its log is logs/api.log in the data folder');
  }
}

/**
 * Returns whether the API has a score store. Waits a moment, because an API that has just started may not have read the
 * store yet.
 */
export async function isServing(config: JobsConfig, signal: AbortSignal): Promise<boolean> {
  return isGood(await poll(config, signal, LOADING_PATIENCE_MS, isGood));
}

/** Waits until the API serves the newly published store. Throws `CommandError` after 30 seconds. */
export async function waitUntilServing(config: JobsConfig, signal: AbortSignal): Promise<void> {
  if (isGood(await poll(config, signal, SERVE_PATIENCE_MS, isGood))) return;
  throw new CommandError(
    'A score store is published, but the API does not serve it; the log of the API is logs/api.log in the data folder',
  );
}

/**
 * Polls the API until `isEnough` accepts the status or time is up. Returns the last status; `undefined` if the API
 * never answered.
 */
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
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await sendRequest(`${apiAddress(config)}/api/health`, { method: 'GET', signal });
    answer.discard();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** Returns false for 503: no score store, or no Redis. */
function isGood(status: number | undefined): boolean {
  return status !== undefined && status !== 503;
}
