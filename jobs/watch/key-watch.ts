import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Keyring } from '../../warehouse/keyring/keyring.ts';
import {
  readArchiveChecks,
  recordArchiveCheck,
  type ArchiveCheck,
} from '../../warehouse/live/archive-checks.ts';
import type { JobWatch, Signal } from './incidents-of-jobs.ts';

export type KeyWatchDeps = {
  dataDir: string;
  keyring: Pick<Keyring, 'countLost'>;
  redis: Pick<Redis, 'hset' | 'hvals'>;
  watch: Pick<JobWatch, 'signal'>;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  host?: string;
  now?: () => Date;
};

export type KeyWatch = {
  /** Checks now. A timer also checks every 30 s. */
  check: () => Promise<void>;
  /** The lost keys at the last successful check; undefined before the first successful check. */
  lostKeys: () => number | undefined;
  close: () => void;
};

/** With the time to record the incident and to write the summary, a loss is visible within a minute. */
const CHECK_INTERVAL_MS = 30_000;

/**
 * Reports keys that an archive has and Redis lost, now and every 30 s. Uses a timer, not a job, because a Redis that
 * lost its data has lost the schedules too.
 */
export async function watchKeys(deps: KeyWatchDeps): Promise<KeyWatch> {
  const { dataDir, keyring, redis, watch, log, host = hostname(), now = () => new Date() } = deps;
  let last: number | undefined;
  const check = async () => {
    const lost = await keyring.countLost();
    await recordArchiveCheck(redis, { dataDir, host, lost, at: now().toISOString() });
    // Archives of other machines may have keys that this machine's archive lacks. Lost keys are therefore resolved only
    // all together.
    const worst = (await readArchiveChecks(redis, now()))[0];
    const signal = toLostKeysSignal(worst);
    if (!signal.isResolved && !last) log.error({ lost: worst?.lost }, signal.text);
    if (signal.isResolved && last) log.info('Redis has all keys of the archive again');
    last = worst?.lost ?? lost;
    watch.signal([signal]);
  };
  const checkSafely = async () => {
    await check().catch((err: unknown) => log.warn({ err }, 'check for lost keys failed'));
  };
  await checkSafely();
  const timer = setInterval(() => void checkSafely(), CHECK_INTERVAL_MS).unref();
  return { check, lostKeys: () => last, close: () => clearInterval(timer) };
}

/** Returns the signal about lost keys, from the archive that has the most lost keys. */
function toLostKeysSignal(worst: ArchiveCheck | undefined): Signal {
  const base = { key: 'lost keys', kind: 'keys.lost' } as const;
  if (worst === undefined || worst.lost === 0) return { ...base, isResolved: true };
  const { lost, dataDir, host } = worst;
  const text =
    `Redis lost ${lost === 1 ? '1 key' : `${lost} keys`} of the archive in ${dataDir} on ${host}. ` +
    'Calls with lost keys get 401. Run make keys-restore there. ' +
    'If Redis lost all its data, then restart the workers and run make publish';
  return { ...base, isResolved: false, text };
}
