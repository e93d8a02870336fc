import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { readModelFailures, type ModelFailure } from '../../warehouse/live/model-failures.ts';
import type { JobWatch, Signal } from './incidents-of-jobs.ts';

export type ModelWatchDeps = {
  redis: Pick<Redis, 'hvals' | 'hdel'>;
  watch: Pick<JobWatch, 'signal'>;
  log: Pick<Logger, 'warn'>;
  now?: () => Date;
};

const CHECK_INTERVAL_MS = 30_000;

/** Reports API processes whose imported model fails, now and every 30 s. */
export async function watchModels({ redis, watch, log, now = () => new Date() }: ModelWatchDeps) {
  const check = async () => watch.signal([signalOf(await readModelFailures(redis, now()))]);
  const checkSafely = () =>
    check().catch((err: unknown) => log.warn({ err }, 'check of imported models failed'));
  await checkSafely();
  const timer = setInterval(() => void checkSafely(), CHECK_INTERVAL_MS).unref();
  return { check, close: () => clearInterval(timer) };
}

function signalOf(failures: ModelFailure[]): Signal {
  const base = { key: 'imported model', kind: 'model.failed' } as const;
  const [first] = failures;
  if (!first) return { ...base, isResolved: true };
  const { place, version, reason } = first;
  const others = failures.length > 1 ? ` and ${failures.length - 1} more` : '';
  const text =
    `Imported model ${version} fails at ${place}${others}: ${reason}. ` +
    'The model trained here answers instead. To remove the imported model: make model-remove publish';
  return { ...base, isResolved: false, text };
}
