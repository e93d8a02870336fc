import { Counter, Histogram, type Registry } from 'prom-client';
import { createProcessRegistry } from './process-registry.ts';

/** Records the route pattern, status and duration of an answer. */
export type RecordAnswer = (endpoint: string, status: number, seconds: number) => void;

/** Records a round trip to Redis during an answer. `isSuccess` is false if Redis failed or did not reply in time. */
export type RecordRoundTrip = (seconds: number, isSuccess: boolean) => void;

export type ApiMetrics = {
  registry: Registry;
  recordAnswer: RecordAnswer;
  recordRoundTrip: RecordRoundTrip;
};

/**
 * Histogram buckets in seconds. An answer from memory takes well under one millisecond; an answer that waits for a news
 * feed takes up to four seconds.
 */
const ANSWER_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Histogram buckets in seconds. After 0.3 s the API stops waiting for Redis. */
const REDIS_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3];

const TOO_MANY_REQUESTS = 429;

/**
 * Creates the metrics of one API process. The only labels are route patterns and statuses, never a key, flight or
 * place. `keyedPaths` are the paths that answer 503 while Redis is unavailable.
 */
export function createApiMetrics(keyedPaths: readonly string[]): ApiMetrics {
  const registry = createProcessRegistry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'headwind_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer, by route pattern and status.',
    labelNames: ['endpoint', 'status'],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  // Start these counters at 0. Prometheus computes a rate from two values, so a counter that starts with the first
  // error would hide this error.
  for (const endpoint of keyedPaths) requests.zero({ endpoint, status: '503' });
  const refusals = new Counter({
    name: 'headwind_quota_refusals_total',
    help: 'Calls refused because the monthly limit of their key is reached.',
    registers,
  });
  const roundTrips = new Histogram({
    name: 'headwind_redis_round_trip_duration_seconds',
    help: 'Time of round trips to Redis that an answer waited for.',
    buckets: REDIS_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: 'headwind_redis_failures_total',
    help: 'Round trips to Redis that failed or exceeded their deadline.',
    registers,
  });
  // One observer per set of labels, so that an answer creates no new labels object.
  const observers = new Map<string, (seconds: number) => void>();
  const createObserver = (endpoint: string, status: number) => {
    const child = requests.labels(endpoint, String(status));
    const observe = (seconds: number) => child.observe(seconds);
    observers.set(`${status}${endpoint}`, observe);
    return observe;
  };
  return {
    registry,
    recordAnswer: (endpoint, status, seconds) => {
      (observers.get(`${status}${endpoint}`) ?? createObserver(endpoint, status))(seconds);
      if (status === TOO_MANY_REQUESTS) refusals.inc();
    },
    recordRoundTrip: (seconds, isSuccess) => {
      roundTrips.observe(seconds);
      if (!isSuccess) failures.inc();
    },
  };
}
