import type { Redis } from 'ioredis';
import { RefreshTimeoutError } from './errors.ts';

/** Input of one refresh from Redis. */
export type Refresh = {
  redis: Redis;
  /** Messages that arrived since the previous refresh. */
  messages: string[];
  /** Aborts if the refresh exceeds its deadline or the watch is closed. Then the refresh must not change anything. */
  signal: AbortSignal;
};

export type RedisWatchOptions = {
  /** Opens a new connection to Redis at each call. */
  connect: () => Redis;
  /** Each message on this channel starts a refresh. */
  channel: string;
  /** A refresh also runs at this interval, in ms, because a message can get lost. */
  refreshEveryMs: number;
  /** Deadline of a refresh in ms. After the deadline, the next refresh may start. */
  deadlineMs?: number;
  refresh: (refresh: Refresh) => Promise<void>;
  /** Called if a refresh fails. Not called for outages of Redis, which the connection reports itself. */
  onError: (error: unknown) => void;
};

export type Watch = {
  /** Resolves after the first successful refresh. */
  ready: Promise<void>;
  /** Stops refreshing. Waits until the running refresh ends or exceeds its deadline. */
  close: () => Promise<void>;
};

/** Deadline of a refresh in ms. Loading the largest store takes only a fraction of this time. */
const DEADLINE_MS = 30_000;

/**
 * Runs `refresh` when Redis becomes available, at each message, and at an interval. Only one refresh runs at a time, so
 * that an older refresh never overwrites a newer one. Messages during a refresh cause one more refresh.
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

  // Refresh after subscribing, because an earlier message may have been missed.
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
