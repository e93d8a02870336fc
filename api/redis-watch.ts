import type { Redis } from 'ioredis';
import { RefreshTimeoutError } from './errors.ts';

/** One refresh from Redis. */
export type Refresh = {
  redis: Redis;
  /** Messages on the channel since the previous refresh. */
  messages: string[];
  /** Aborted when the refresh exceeds the deadline or the watch is closed. The result must then be ignored. */
  signal: AbortSignal;
};

export type RedisWatchOptions = {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /** Each message on this channel starts a refresh. */
  channel: string;
  /** Interval of refreshes in case a message was lost, in ms. */
  refreshEveryMs: number;
  /** After this many ms a refresh is abandoned and the next may start. */
  deadlineMs?: number;
  refresh: (refresh: Refresh) => Promise<void>;
  /** Called when a refresh fails. Not called for an outage of Redis, because the connection itself reports outages. */
  onError: (error: unknown) => void;
};

export type Watch = {
  /** Resolves after the first refresh without an error. */
  ready: Promise<void>;
  /** Starts no further refresh, and waits until the running refresh ends or exceeds its deadline. */
  close: () => Promise<void>;
};

/**
 * Deadline of a refresh, many times longer than the largest store takes to load. A silent connection to Redis is closed
 * after two seconds.
 */
const DEADLINE_MS = 30_000;

/**
 * Calls `refresh` when Redis becomes ready, on each message of the channel, and at an interval. Refreshes run one at a
 * time, so that an older refresh cannot overwrite a newer one. Messages that arrive during a refresh cause one more
 * refresh afterwards.
 */
export function watchRedis(options: RedisWatchOptions): Watch {
  const { connect, channel, refreshEveryMs, deadlineMs = DEADLINE_MS, refresh, onError } = options;
  const redis = connect();
  const subscriber = connect();
  let isClosed = false;
  let current: AbortController | undefined;
  let messages: string[] = [];
  let isRequested = false;
  let isRunning = false;
  let running = Promise.resolve();
  const ready = Promise.withResolvers<void>();
  const canRefresh = () => redis.status === 'ready' && !isClosed;

  const refreshOnce = async () => {
    const refreshMessages = messages;
    messages = [];
    const controller = new AbortController();
    current = controller;
    const deadline = Promise.withResolvers<never>();
    const interval = setTimeout(() => {
      const timeout = new RefreshTimeoutError(`the refresh took more than ${deadlineMs} ms`);
      controller.abort(timeout);
      deadline.reject(timeout);
    }, deadlineMs);
    try {
      await Promise.race([
        refresh({ redis, messages: refreshMessages, signal: controller.signal }),
        deadline.promise,
      ]);
      ready.resolve();
    } catch (error) {
      if (canRefresh()) onError(error);
    } finally {
      clearTimeout(interval);
    }
  };
  const refreshWhileRequested = async () => {
    isRunning = true;
    while (isRequested && canRefresh()) {
      isRequested = false;
      await refreshOnce();
    }
    isRunning = false;
  };
  const requestRefresh = () => {
    isRequested = true;
    if (!isRunning) running = refreshWhileRequested();
  };

  // A message may have been missed before the subscription.
  const listen = () => subscriber.subscribe(channel).then(requestRefresh, () => undefined);
  subscriber.on('ready', () => void listen());
  subscriber.on('message', (_channel: string, message: string) => {
    messages.push(message);
    requestRefresh();
  });
  redis.on('ready', requestRefresh);
  const timer = setInterval(requestRefresh, refreshEveryMs);
  return {
    ready: ready.promise,
    close: async () => {
      isClosed = true;
      current?.abort();
      clearInterval(timer);
      redis.disconnect();
      subscriber.disconnect();
      await running;
    },
  };
}
