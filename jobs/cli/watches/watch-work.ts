import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { AccountWork, RecordDelivery } from '../../queue/watch-deliveries.ts';
import { startWatchWork, type WatchTiming } from '../../queue/watch-queues.ts';
import { refuseChallenges, serveChallenges } from '../../wiring/watch-challenges.ts';
import { deliverMessages, type DeliverDeps } from '../../../pipelines/watches/deliver.ts';
import {
  createGuardedPost,
  openConnections,
  respectRetryAfter,
  type PostLimits,
} from '../../../pipelines/watches/guarded-post.ts';
import { scanWatches as scan } from '../../../pipelines/watches/scan.ts';
import { createCharges, type Charges } from '../../../warehouse/keyring/charges.ts';
import { KeyRecordError } from '../../../warehouse/keyring/errors.ts';
import { recordActivity } from '../../../warehouse/keyring/activity.ts';
import {
  endMessage,
  readOldestMessage,
  readPendingOf,
  readRetries,
  recordAttempt,
  recordChanges,
  saveRetry,
  scanPendingWatches,
  type WatchRef,
} from '../../../warehouse/live/watch-messages.ts';
import {
  countWatches,
  readNotified,
  readSecret,
  readWatch,
  removeWatch,
  scanWatches,
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

/** Label of delivered messages in the counts of calls by endpoint. */
const USAGE_LABEL = 'deliveries of watches';
/** A receiver must answer within this time. */
const POST_DEADLINE_MS = 10_000;
/** Maximum number of messages that one worker sends at a time. */
const POSTS = 300;
/** Deadline for a challenge. It is shorter than the deadline for a message, because a caller waits for the result. */
const CHALLENGE_DEADLINE_MS = 5_000;
/** Time between two scans of unchanged data. Scores also change with time, for example when an event ends. */
const RESCAN_MS = 10 * 60_000;

/** Starts the work for watches. Without outbound calls, this work only refuses new watches. */
export async function startWatches(
  config: WatchWorkConfig & { offline: boolean },
  deps: WatchWorkDeps,
): Promise<WatchWork> {
  if (!config.offline) return openWatchWork(config, deps);
  return refuseChallenges(config.redisUrl, { ...config, log: deps.log });
}

/** Scans watches and delivers their messages, together with the other workers of this Redis. */
export async function openWatchWork(
  config: WatchWorkConfig,
  { redis, onDelivery, log, now = () => new Date(), timing = {} }: WatchWorkDeps,
): Promise<WatchWork> {
  const activity = recordActivity(redis);
  // Deliveries that run at the same time send their commands in one pipeline.
  const pipelined = redis.duplicate({ enableAutoPipelining: true });
  pipelined.on('error', (err) => log.warn({ err }, 'redis unreachable'));
  const charges = createCharges(pipelined, { endpoint: USAGE_LABEL, activity });
  const scanner = createScanner(config, { redis, charges, now, log });
  const allowedHosts = new Set(config.watchHosts);
  const challenges = serveChallenges(config.redisUrl, {
    post: createGuardedPost({ deadlineMs: CHALLENGE_DEADLINE_MS, allowedHosts }),
    ...{ allowedHosts, now, log },
  });
  const openAccount = createAccounts(pipelined, {
    charges,
    post: { deadlineMs: timing.postDeadlineMs ?? POST_DEADLINE_MS, allowedHosts },
    now,
  });
  const work = await startWatchWork(config.redisUrl, {
    ...{ scan: scanner.scan, openAccount, pending: () => scanPendingWatches(redis) },
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
      pipelined.disconnect();
    },
  };
}

/** Returns a function that opens an account: it returns the functions that read and send the account's messages. */
function createAccounts(
  redis: Redis,
  { charges, post: limits, now }: { charges: Charges; post: PostLimits; now: () => Date },
): (account: string) => AccountWork {
  const limit = pLimit(POSTS);
  return (account) => {
    const connections = openConnections();
    const post = respectRetryAfter(createGuardedPost(limits, { connections }));
    const deps: DeliverDeps = {
      readWatch: (id) => readWatch(redis, id),
      readSecret: () => readSecret(redis, account),
      oldestMessage: (id) => readOldestMessage(redis, id),
      endMessage: (watch, message, attempt) => endMessage(redis, watch, message, attempt),
      recordAttempt: (id, attempt) => recordAttempt(redis, id, attempt),
      removeWatch: (watch) => removeWatch(redis, watch),
      charge: (keyHash, at) => charges.charge(keyHash, 1, at),
      refund: (keyHash, at) => charges.refund(keyHash, 1, at),
      post: (url, message) => limit(() => post(url, message)),
      now,
    };
    return {
      pending: () => readPendingOf(redis, account),
      retries: () => readRetries(redis, account),
      deliver: (id) => deliverMessages(id, deps),
      saveRetry: (id, retry) => saveRetry(redis, { id, account }, retry),
      close: connections.close,
    };
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
    charges: Charges;
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
