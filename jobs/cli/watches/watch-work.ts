import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  startWatchWork,
  type RecordDelivery,
  type WatchRef,
  type WatchTiming,
} from '../../queue/watch-queues.ts';
import { serveChallenges } from '../../wiring/watch-challenges.ts';
import { deliverMessages } from '../../../pipelines/watches/deliver.ts';
import { createGuardedPost } from '../../../pipelines/watches/guarded-post.ts';
import { scanWatches as scan } from '../../../pipelines/watches/scan.ts';
import { createCharges } from '../../../warehouse/keyring/charges.ts';
import { KeyRecordError } from '../../../warehouse/keyring/errors.ts';
import { recordActivity } from '../../../warehouse/keyring/activity.ts';
import {
  endMessage,
  readOldestMessage,
  readPendingWatches,
  recordAttempt,
  recordChanges,
  type DeliveryAttempt,
  type WatchMessage,
} from '../../../warehouse/live/watch-messages.ts';
import {
  countWatches,
  readNotified,
  readSecret,
  readWatch,
  removeWatch,
  scanWatches,
  type Watch,
} from '../../../warehouse/live/watches.ts';
import {
  openLiveScores,
  type LiveScoreDeps,
  type LiveScores,
} from '../../../api/server/live-scores.ts';

export type WatchWorkConfig = Omit<LiveScoreDeps, 'redis' | 'now' | 'log'> & {
  watchHosts: readonly string[];
};

export type WatchWorkDeps = {
  redis: Redis;
  onDelivery?: RecordDelivery;
  log: Logger;
  now?: () => Date;
  timing?: Partial<WatchTiming & { postDeadlineMs: number }>;
};

export type WatchWork = {
  close: (deadlineMs: number) => Promise<void>;
};

/** Name under which the deliveries of watches are counted, among the calls by endpoint. */
const USAGE_LABEL = 'deliveries of watches';
/** A receiver must answer within this time. */
const POST_DEADLINE_MS = 10_000;
/** Deadline for a challenge. It is shorter, because a caller waits for the result. */
const CHALLENGE_DEADLINE_MS = 5_000;
/** Time between two scans of unchanged data. Scores also change with time, for example when an event ends. */
const RESCAN_MS = 10 * 60_000;

/** Scans watches and delivers their messages, together with the other workers of this Redis. */
export async function openWatchWork(
  config: WatchWorkConfig,
  { redis, onDelivery, log, now = () => new Date(), timing = {} }: WatchWorkDeps,
): Promise<WatchWork> {
  const activity = recordActivity(redis);
  const charges = createCharges(redis, { endpoint: USAGE_LABEL, activity });
  const scanner = createScanner(config, { redis, charges, now, log });
  const allowedHosts = new Set(config.watchHosts);
  const postWithin = (deadlineMs: number) => createGuardedPost({ deadlineMs, allowedHosts });
  const challenges = serveChallenges(config.redisUrl, {
    post: postWithin(CHALLENGE_DEADLINE_MS),
    ...{ allowedHosts, now, log },
  });
  const deliverDeps = {
    readWatch: (id: string) => readWatch(redis, id),
    readSecret: (account: string) => readSecret(redis, account),
    oldestMessage: (id: string) => readOldestMessage(redis, id),
    endMessage: (id: string, message: WatchMessage) => endMessage(redis, id, message),
    recordAttempt: (id: string, attempt: DeliveryAttempt) => recordAttempt(redis, id, attempt),
    removeWatch: (watch: Watch) => removeWatch(redis, watch),
    charge: (keyHash: string, at: Date) => charges.charge(keyHash, 1, at),
    refund: (keyHash: string, at: Date) => charges.refund(keyHash, 1, at),
    post: postWithin(timing.postDeadlineMs ?? POST_DEADLINE_MS),
    now,
  };
  const work = await startWatchWork(config.redisUrl, {
    scan: scanner.scan,
    deliver: (id) => deliverMessages(id, deliverDeps),
    pending: () => readPendingWatches(redis),
    ...(onDelivery && { onDelivery }),
    ...{ log, timing },
  });
  return {
    close: async (deadlineMs) => {
      // Does not wait for open challenges; their callers get a 503.
      void challenges.close();
      await work.close(deadlineMs);
      await scanner.close();
      await activity.close();
    },
  };
}

/** Creates the scan. Store, forecasts and news are opened when the first watch exists, because they need memory. */
function createScanner(
  config: WatchWorkConfig,
  {
    redis,
    charges,
    now,
    log,
  }: Pick<LiveScoreDeps, 'redis' | 'now' | 'log'> & {
    charges: ReturnType<typeof createCharges>;
  },
) {
  let scores: LiveScores | undefined;
  let last: { at: number; parts: readonly unknown[] } | undefined;
  const isDue = (parts: readonly unknown[]) =>
    !last ||
    now().getTime() - last.at >= RESCAN_MS ||
    parts.some((part, at) => part !== last?.parts[at]);
  const isKeyActive = async (keyHash: string) => {
    try {
      return (await charges.charge(keyHash, 0, now())).verdict !== 'invalid';
    } catch (error) {
      // If the record of a key is damaged, the key's watches wait until the record is repaired.
      if (error instanceof KeyRecordError) return true;
      throw error;
    }
  };
  return {
    scan: async (deliver: (watches: WatchRef[]) => Promise<void>) => {
      if ((await countWatches(redis)) === 0) return undefined;
      scores ??= await openLiveScores({ ...config, redis, now, log });
      const parts = scores.dataParts();
      if (!isDue(parts)) return undefined;
      const at = now().getTime();
      const report = await scan({
        watches: () => scanWatches(redis),
        scoreFlight: scores.score,
        isKeyActive,
        readNotified: (ids) => readNotified(redis, ids),
        recordChanges: (changes) => recordChanges(redis, changes),
        removeWatch: (watch) => removeWatch(redis, watch),
        ...{ deliver, now, log },
      });
      last = { at, parts };
      return report;
    },
    close: async () => scores?.close(),
  };
}
