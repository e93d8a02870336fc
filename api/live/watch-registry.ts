import type { Redis } from 'ioredis';
import { accountOf } from '../../warehouse/keyring/charges.ts';
import { hashKey } from '../../warehouse/keyring/format.ts';
import {
  countPending,
  readAttempts,
  type DeliveryAttempt,
} from '../../warehouse/live/watch-messages.ts';
import {
  addWatch,
  compareWatches,
  createSecret,
  createWatchId,
  readAccountWatches,
  readNotified,
  readSecret,
  readWatch,
  removeWatch,
  WATCHES_PER_ACCOUNT,
  type NotifiedScore,
  type Watch,
} from '../../warehouse/live/watches.ts';
import { RequestError } from '../errors.ts';
import { createPointLimit } from './point-limit.ts';
import { prove, withChallengeSlot } from './watch-proofs.ts';

/** A watch, the last score sent to its caller, and the number of undelivered messages. */
export type ListedWatch = { watch: Watch; known: NotifiedScore; pending: number };

export type NewWatch = Pick<Watch, 'flight' | 'url' | 'points' | 'hasBand'>;

/** Creates, lists and removes the watches of callers. All keys of an account share the account's watches. */
export type WatchRegistry = {
  /** Maximum number of watches per account. */
  limit: number;
  /**
   * Creates a watch with the current score. First sends a challenge to the address, unless another watch of the account
   * already uses the address. Throws a `RequestError` if the receiver does not echo the challenge, or if the account
   * has too many watches.
   */
  create: (
    apiKey: string,
    watch: NewWatch,
    score: () => NotifiedScore | Promise<NotifiedScore>,
  ) => Promise<ListedWatch & { secret: string }>;
  /** Returns a page of the watches, oldest first. */
  list: (apiKey: string, page?: WatchPage) => Promise<ListedPage>;
  /**
   * Returns a watch and the attempts to deliver its messages, newest first; undefined if the account has no such watch.
   */
  find: (
    apiKey: string,
    id: string,
  ) => Promise<{ listed: ListedWatch; attempts: DeliveryAttempt[] } | undefined>;
  /** Returns false if the account has no such watch. */
  remove: (apiKey: string, id: string) => Promise<boolean>;
};

/** The position of a watch in the list. The position stays valid after the watch is deleted. */
export type WatchPosition = Pick<Watch, 'id' | 'createdAt'>;

/** Selects at most `limit` watches after the position `after`. */
export type WatchPage = { limit: number; after?: WatchPosition | undefined };

/** The watches of a page, and the position of the last watch. `end` is undefined on the last page. */
export type ListedPage = { listed: ListedWatch[]; end: WatchPosition | undefined };

export type WatchRegistryDeps = {
  redis: Redis;
  now: () => Date;
  /** Returns a time in ms that only grows. The default is the monotonic clock of this process. */
  clockMs?: () => number;
};

/**
 * Maximum number of challenges that an account can cause in an hour. A challenge calls an address that may belong to a
 * stranger.
 */
const CHALLENGES_PER_HOUR = 30;
const HOUR_S = 3_600;

/** Creates a registry that stores watches in Redis. */
export function createWatchRegistry({
  redis,
  now,
  clockMs = () => performance.now(),
}: WatchRegistryDeps): WatchRegistry {
  const limit = WATCHES_PER_ACCOUNT;
  const admitChallenge = createPointLimit(redis, {
    ...{ name: 'hw:watches:tries', points: CHALLENGES_PER_HOUR, durationS: HOUR_S },
  });
  const owner = async (apiKey: string) => {
    const keyHash = hashKey(apiKey);
    return { keyHash, account: await accountOf(redis, keyHash) };
  };
  const listed = async (watches: Watch[]): Promise<ListedWatch[]> => {
    const ids = watches.map(({ id }) => id);
    const [notified, pending] = await Promise.all([
      readNotified(redis, ids),
      countPending(redis, ids),
    ]);
    return watches.flatMap((watch, at) => {
      const known = notified[at];
      return known ? [{ watch, known, pending: pending[at] ?? 0 }] : [];
    });
  };
  const findOwn = async (apiKey: string, id: string) => {
    const { account } = await owner(apiKey);
    // Reads only this watch, because the call is free and callers may repeat it often.
    const watch = await readWatch(redis, id);
    return watch?.account === account ? watch : undefined;
  };
  return {
    limit,
    create: async (apiKey, { flight, url, points, hasBand }, score) => {
      const { keyHash, account } = await owner(apiKey);
      const others = await readAccountWatches(redis, account);
      if (others.length >= limit) throw tooMany(limit);
      const secret = (await readSecret(redis, account)) ?? createSecret();
      if (others.every((other) => other.url !== url)) {
        await withChallengeSlot({ redis, clockMs }, account, async () => {
          const waitS = await admitChallenge(account);
          if (waitS > 0) throw tooManyChallenges(waitS);
          await prove({ redis, clockMs }, { url, secret });
        });
      }
      const known = await score();
      const own = { flight, url, points, hasBand, keyHash, account };
      const watch = { id: createWatchId(), ...own, createdAt: now().toISOString() };
      const stored = await addWatch(redis, watch, { known, secret, limit });
      if (stored === undefined) throw tooMany(limit);
      return { watch, known, pending: 0, secret: stored };
    },
    list: async (apiKey, { limit: count, after } = { limit }) => {
      const { account } = await owner(apiKey);
      const all = await readAccountWatches(redis, account);
      const rest = after ? all.filter((watch) => compareWatches(watch, after) > 0) : all;
      const end = rest.length > count ? rest[count - 1] : undefined;
      return { listed: await listed(rest.slice(0, count)), end };
    },
    find: async (apiKey, id) => {
      const watch = await findOwn(apiKey, id);
      const [entry] = watch ? await listed([watch]) : [];
      return entry && { listed: entry, attempts: await readAttempts(redis, id) };
    },
    remove: async (apiKey, id) => {
      const watch = await findOwn(apiKey, id);
      return watch !== undefined && removeWatch(redis, watch);
    },
  };
}

function tooMany(limit: number): RequestError {
  return new RequestError(
    400,
    'too_many_watches',
    `An account has at most ${limit} watches. Delete watches of past flights.`,
  );
}

function tooManyChallenges(waitS: number): RequestError {
  return new RequestError(
    429,
    'rate_limit_exceeded',
    `An account can verify at most ${CHALLENGES_PER_HOUR} addresses an hour.`,
    { headers: { 'Retry-After': String(waitS) } },
  );
}
