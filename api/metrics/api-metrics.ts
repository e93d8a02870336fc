import { Counter, Histogram, type Registry } from 'prom-client';
import { processRegistry } from './process-registry.ts';

/** Told of each answer: the pattern of its route, its status, and how long it took. */
export type Answered = (endpoint: string, status: number, seconds: number) => void;

/** Told of each round trip to Redis that an answer waited for; a bad one failed or came too late. */
export type AskedRedis = (seconds: number, isGood: boolean) => void;

export type ApiMetrics = {
  registry: Registry;
  answered: Answered;
  askedRedis: AskedRedis;
};

/** Seconds; an answer from memory takes well under one millisecond, one that waits for a news feed up to four seconds. */
const ANSWER_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Seconds; after 0.3 Redis is given up on. */
const REDIS_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3];

const TOO_MANY_REQUESTS = 429;

/**
 * Counts what a process of the API does. Labels are patterns of routes and statuses: never a key, a flight or a place. What is
 * `keyed` is answered with 503 as soon as Redis is away.
 */
export function createApiMetrics(keyed: readonly string[]): ApiMetrics {
  const registry = processRegistry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'headwind_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer, by pattern of the route and status.',
    labelNames: ['endpoint', 'status'],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  // A rate sees what comes after the first number of a series: without them, the first errors of a process would be on no panel.
  for (const endpoint of keyed) requests.zero({ endpoint, status: '503' });
  const refusals = new Counter({
    name: 'headwind_quota_refusals_total',
    help: 'Calls refused because the monthly limit of their key is reached.',
    registers,
  });
  const roundTrips = new Histogram({
    name: 'headwind_redis_round_trip_duration_seconds',
    help: 'Time Redis took for what an answer waited for.',
    buckets: REDIS_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: 'headwind_redis_failures_total',
    help: 'Round trips to Redis that failed or did not end in time.',
    registers,
  });
  // Bound once each, so that an answer costs no object of labels.
  const bound = new Map<string, (seconds: number) => void>();
  const bind = (endpoint: string, status: number) => {
    const child = requests.labels(endpoint, String(status));
    const observe = (seconds: number) => child.observe(seconds);
    bound.set(`${status}${endpoint}`, observe);
    return observe;
  };
  return {
    registry,
    answered: (endpoint, status, seconds) => {
      (bound.get(`${status}${endpoint}`) ?? bind(endpoint, status))(seconds);
      if (status === TOO_MANY_REQUESTS) refusals.inc();
    },
    askedRedis: (seconds, isGood) => {
      roundTrips.observe(seconds);
      if (!isGood) failures.inc();
    },
  };
}
