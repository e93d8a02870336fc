import type { Redis } from 'ioredis';
import { LookLateError } from './errors.ts';

/** One look at Redis. */
export type Look = {
  redis: Redis;
  /** What was said on the channel since the look before. */
  messages: string[];
  /** Aborted when the look has taken too long, or the watch is closed: what it found must not be taken up any more. */
  signal: AbortSignal;
};

export type WatchOptions = {
  /** A new connection to Redis for each call. */
  connect: () => Redis;
  /** Where a message asks for a look. */
  channel: string;
  /** How often to look in case a message was lost, in ms. */
  everyMs: number;
  /** How long a look may take before the next one may begin, in ms. */
  deadlineMs?: number;
  look: (look: Look) => Promise<void>;
  /** Told of a look that failed; of an outage of Redis the connection tells by itself. */
  failed: (error: unknown) => void;
};

export type Watch = {
  /** No look begins after this; one under way is waited for, as long as it may take. */
  close: () => Promise<void>;
};

/** Many times what the largest store takes; Redis itself is given up on after two seconds of silence. */
const DEADLINE_MS = 30_000;

/**
 * Looks at Redis when it comes or comes back, when the channel says so, and every now and then. One look at a time, so
 * that an older one cannot undo a newer; whatever asks during a look is answered by one more.
 */
export function watchRedis(options: WatchOptions): Watch {
  const { connect, channel, everyMs, deadlineMs = DEADLINE_MS, look, failed } = options;
  const redis = connect();
  const subscriber = connect();
  let isClosed = false;
  let current: AbortController | undefined;
  let messages: string[] = [];
  let isAsked = false;
  let isLooking = false;
  let looking = Promise.resolve();
  const canLook = () => redis.status === 'ready' && !isClosed;

  const lookOnce = async () => {
    const heard = messages;
    messages = [];
    const ending = new AbortController();
    current = ending;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const tooLate = new LookLateError(`a look took more than ${deadlineMs} ms`);
      ending.abort(tooLate);
      late.reject(tooLate);
    }, deadlineMs);
    try {
      await Promise.race([look({ redis, messages: heard, signal: ending.signal }), late.promise]);
    } catch (error) {
      if (canLook()) failed(error);
    } finally {
      clearTimeout(timer);
    }
  };
  const lookWhileAsked = async () => {
    isLooking = true;
    while (isAsked && canLook()) {
      isAsked = false;
      await lookOnce();
    }
    isLooking = false;
  };
  const ask = () => {
    isAsked = true;
    if (!isLooking) looking = lookWhileAsked();
  };

  // A message may have been missed until the channel is listened to.
  const listen = () => subscriber.subscribe(channel).then(ask, () => undefined);
  subscriber.on('ready', () => void listen());
  subscriber.on('message', (_channel: string, message: string) => {
    messages.push(message);
    ask();
  });
  redis.on('ready', ask);
  const timer = setInterval(ask, everyMs);
  return {
    close: async () => {
      isClosed = true;
      current?.abort();
      clearInterval(timer);
      redis.disconnect();
      subscriber.disconnect();
      await looking;
    },
  };
}
