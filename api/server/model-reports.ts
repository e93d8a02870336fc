import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { recordModelFailure, removeModelFailure } from '../../warehouse/live/model-failures.ts';
import { describeError } from '../redact.ts';
import type { ImportedState } from '../scoring/model-service.ts';

export type ModelReportDeps = {
  redis: Pick<Redis, 'hset' | 'hdel'>;
  /** Returns the state of the current imported model; undefined without an imported model. */
  read: () => Readonly<ImportedState> | undefined;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
};

export type ModelReports = {
  /** Sends a report now. A timer also sends a report every 30 s. */
  report: () => Promise<void>;
  close: () => void;
};

const REPORT_EVERY_MS = 30_000;

/** Reports to Redis while the imported model of this process fails. A worker then sends a notice to the operators. */
export function openModelReports({ redis, read, now, log }: ModelReportDeps): ModelReports {
  const place = `${hostname()} process ${process.pid}`;
  let hasFailure = false;
  const report = async () => {
    const state = read();
    const isFailing = state?.state === 'fallback';
    try {
      if (isFailing) {
        const { version, since } = state;
        const reason = state.reason ?? 'unknown';
        await recordModelFailure(redis, { place, version, reason, since, at: now().toISOString() });
      } else if (hasFailure) await removeModelFailure(redis, place);
      hasFailure = isFailing;
    } catch (error) {
      log.warn({ error: describeError(error) }, 'could not report the state of the imported model');
    }
  };
  const timer = setInterval(() => void report(), REPORT_EVERY_MS).unref();
  return {
    report,
    close: () => clearInterval(timer),
  };
}
