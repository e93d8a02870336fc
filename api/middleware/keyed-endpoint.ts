import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError, attempt, type ErrorFacts } from '../errors.ts';
import type { Admission } from '../../warehouse/keyring/keystore.ts';
import { readApiKey } from './api-key.ts';
import { etagOf, isSameTag, setCacheHeaders } from './conditional.ts';
import { isSigned } from '../schemas/params.ts';
import { computeSigned } from './signed-answer.ts';
import { createTurnQueue, runInNextTurn } from '../turns.ts';
import { secondsUntilReset, setRateHeaders } from './answer-headers.ts';

export type KeyedEndpoint<Query> = Answer<Query> & {
  /** Name of the endpoint in call statistics; absent if calls of the endpoint are not counted. */
  usageLabel?: string;
  /** Parses the parameters, using only data in memory. Throws a `RequestError` for bad parameters. */
  parse: (call: Call) => Query;
  /** Number of calls that a successful answer uses up in the monthly quota. */
  cost: (query: Query) => number;
  /** Returns the store behind the answer; its version is sent in `X-Store-Version`. Absent if answers use no store. */
  storeOf?: (query: Query) => ScoreStore;
  /** Whether a successful answer may be long enough to compress. */
  isCompressible?: true;
  /**
   * Whether an answer contains many scores, which take long to compute. Each turn of the event loop computes such
   * answers only for a limited time. Between the turns, other calls are answered.
   */
  isCostly?: true;
  /** Whether answers have an ETag. If the answer of a repeated call has not changed, the call gets 304 and is free. */
  isCacheable?: true;
  /** Reads the API key from the request; by default from the parameter `api_key`. */
  readKey?: (call: Call) => string;
  /** If true, only keys that were created by the command `admin-key` may call the endpoint; other keys get 403. */
  isAdminOnly?: boolean;
  /** Further fields of the 401 body for an unknown or inactive key. */
  unknownKeyFacts?: Record<string, boolean>;
  /** Throws for a request that is refused regardless of its parameters. Called after the key is checked. */
  refuse?: (call: Call) => void;
};

/**
 * Returns the body of the answer. If this function throws, the call is not counted. A function that computes a score
 * must have no side effects, because it may run several times.
 */
type Answer<Query> =
  | { answer: (query: Query, call: Call) => object | Promise<object>; answerInParallel?: never }
  /**
   * Runs while Redis checks the key, so it must use only memory and change nothing. The result is sent only if the key
   * is valid.
   */
  | { answerInParallel: (query: Query, call: Call) => object; answer?: never };

/** A counted call. If the call fails, the count is undone. */
type Charge = { apiKey: string; cost: number; at: Date; usageLabel: string | undefined };

type KnownKey = Exclude<Admission, { verdict: 'invalid' }>;

/**
 * Sets headers and returns the JSON body of a successful answer; undefined if the caller already has this answer.
 * Throws if the call is refused.
 */
export type KeyedAnswer = (call: Call) => Promise<string | undefined>;

type KeyedDeps = Pick<
  ApiDeps,
  'keys' | 'models' | 'now' | 'nextRefreshAt' | 'signatures' | 'liveStates'
>;

/**
 * A middleware that answers calls with an API key. `keyedAnswer` creates the same answer without Koa, for the fast path
 * and for agents.
 */
export type KeyedMiddleware = ApiMiddleware & { keyedAnswer: KeyedAnswer };

/** Creates an endpoint that needs an API key. */
export function keyedEndpoint<Query>(
  endpoint: KeyedEndpoint<Query>,
  deps: KeyedDeps,
): KeyedMiddleware {
  const answer = createAnswer(endpoint, deps);
  const middleware: ApiMiddleware = async (ctx) => {
    const text = await answer(ctx);
    if (text === undefined) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'application/json';
    ctx.body = text;
  };
  return Object.assign(middleware, { keyedAnswer: answer });
}

/**
 * Time limit for costly answers in one turn of the event loop, in ms. After this time, the turn starts no further
 * costly answer. A running answer may exceed the limit: a batch of 50 flights takes about 2 ms. If each turn computed
 * only one answer, the service would answer 0.7 times as many calendars per second.
 */
export const COSTLY_TURN_MS = 2;

/** Computes costly answers in turns of the event loop. */
const computeInTurn = createTurnQueue(COSTLY_TURN_MS);

/**
 * Creates the function that checks and answers calls. Usually one round trip to Redis is enough. Checks have this
 * order: key (401), admin rights (403), parameters (400 or 404), quota (429). Parameters are parsed before the round
 * trip. A call with bad parameters is checked at cost 0, so it is not counted. `answerInParallel` runs during the round
 * trip. If the call is refused, the result of `answerInParallel` is discarded. A call with `If-None-Match` is first
 * checked at cost 0. If the answer has changed since the caller's last call, this call is counted in a second round
 * trip.
 */
function createAnswer<Query>(endpoint: KeyedEndpoint<Query>, deps: KeyedDeps): KeyedAnswer {
  const { keys, models, now, nextRefreshAt } = deps;
  const { readKey = readApiKey, usageLabel, answerInParallel } = endpoint;
  const answerNow = (query: Query, call: Call) =>
    serialize((endpoint.answer ?? answerInParallel)?.(query, call));
  const answer = (query: Query, call: Call) =>
    endpoint.isCostly
      ? computeInTurn(() => {
          checkConnection(call);
          return answerNow(query, call);
        })
      : answerNow(query, call);
  const compute = (query: Query, call: Call) => models.complete(() => answer(query, call));
  const admitCall = async (call: Call, charge: Charge): Promise<KnownKey> => {
    const { apiKey, cost, at } = charge;
    const admission = await keys.admit(apiKey, cost, at, usageLabel);
    const key = requireKnownKey(admission, endpoint.unknownKeyFacts);
    call.state.keyPrefix = key.prefix;
    setRateHeaders(call, key, at);
    if (key.verdict === 'over') throw overLimit(key, cost, at);
    return key;
  };
  return async (call) => {
    const apiKey = readKey(call);
    const at = now();
    const query = attempt(() => endpoint.parse(call));
    const cost = query.isGood ? endpoint.cost(query.value) : 0;
    const ifNoneMatch = endpoint.isCacheable ? call.get('If-None-Match') : '';
    let charge = { apiKey, cost: ifNoneMatch === '' ? cost : 0, at, usageLabel };
    const isSignedCall = endpoint.isCacheable === true && isSigned(call.query);
    const pending =
      query.isGood && answerInParallel && !isSignedCall
        ? runInNextTurn(() => compute(query.value, call))
        : undefined;
    const key = await admitCall(call, charge);
    if (endpoint.isAdminOnly === true && !key.isAdmin) {
      throw new RequestError(403, 'forbidden', 'This endpoint needs an admin key.');
    }
    endpoint.refuse?.(call);
    if (endpoint.isCompressible) call.state.isCompressible = true;
    if (!query.isGood) {
      throw query.error;
    }
    try {
      const signed = isSignedCall
        ? await computeSigned(endpoint, { call, query: query.value, answer }, deps)
        : undefined;
      const body = signed?.text ?? (pending ? pending() : compute(query.value, call));
      const text = typeof body === 'string' ? body : await body;
      const store = signed ? signed.store : endpoint.storeOf?.(query.value);
      if (store) call.set('X-Store-Version', store.manifest.version);
      const setCaching = (etag: string) =>
        setCacheHeaders(call, etag, { nextRefreshAt: nextRefreshAt?.(), now: at });
      const etag = endpoint.isCacheable ? etagOf(text) : undefined;
      if (etag !== undefined && ifNoneMatch !== '' && isSameTag(ifNoneMatch, etag)) {
        setCaching(etag);
        return undefined;
      }
      if (signed) call.set('X-Signature', await signed.sign());
      if (call.state.isUncharged) {
        await refundCall(call, key, charge, keys);
      } else if (charge.cost < cost) {
        charge = { ...charge, cost };
        await admitCall(call, charge);
      }
      // Sets the ETag last, because `admitCall` may refuse the call for its quota.
      if (etag !== undefined) setCaching(etag);
      return text;
    } catch (error) {
      await refundCall(call, key, charge, keys);
      throw error;
    }
  };
}

/** Throws if the connection is gone, so that the call is free. */
function checkConnection({ res }: Call): void {
  if (res.destroyed) throw new RequestError(400, 'bad_request', 'The connection was closed.');
}

/**
 * Converts the body to JSON. A body that is not a promise is converted immediately: concurrent calls would otherwise
 * keep their bodies in memory.
 */
function serialize(body: object | Promise<object> | undefined): string | Promise<string> {
  return body instanceof Promise
    ? body.then((value) => JSON.stringify(value))
    : JSON.stringify(body);
}

function requireKnownKey(admission: Admission, facts: ErrorFacts = {}): KnownKey {
  if (admission.verdict === 'invalid') {
    throw new RequestError(401, 'invalid_api_key', 'This API key is unknown or inactive.', {
      facts,
    });
  }
  return admission;
}

function overLimit({ monthlyLimit, monthCount }: KnownKey, cost: number, at: Date): RequestError {
  const remaining = monthlyLimit - monthCount;
  const problem =
    remaining > 0 ? `has ${remaining} left, and this request costs ${cost}` : 'is reached';
  return new RequestError(
    429,
    'rate_limit_exceeded',
    `The monthly limit of ${monthlyLimit} calls ${problem}; contact the provider to upgrade.`,
    { headers: { 'Retry-After': String(secondsUntilReset(at)) } },
  );
}

async function refundCall(
  call: Call,
  key: KnownKey,
  { apiKey, cost, at, usageLabel }: Charge,
  keys: ApiDeps['keys'],
): Promise<void> {
  if (cost === 0) {
    return;
  }
  try {
    await keys.refund(apiKey, cost, at, usageLabel);
    setRateHeaders(call, { ...key, monthCount: key.monthCount - cost }, at);
  } catch {
    // Redis became unavailable. The call stays counted, and the caller gets the original error.
  }
}
