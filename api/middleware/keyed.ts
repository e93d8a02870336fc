import type { ScoreStore } from '../../warehouse/store/types.ts';
import { settle, valueOf, type Settled } from '../settle.ts';
import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import type { Admission } from '../../warehouse/keyring/keystore.ts';
import { secondsLeft, setRateHeaders } from './rate-headers.ts';

export type KeyedEndpoint<Query> = Answer<Query> & {
  /** Under which name operators see its counted calls; absent where none is. */
  countedAs?: string;
  /** Reads the parameters; throws a `RequestError` for bad ones. Asks nothing outside memory. */
  parse: (call: Call) => Query;
  /** What a good answer costs of the month's quota. */
  cost: (query: Query) => number;
  /** The store the answer comes from, which names its version in `X-Store-Version`; absent where there is none. */
  storeOf?: (query: Query) => ScoreStore;
  /** Whether a good answer may be long enough to be worth packing. */
  isLong?: true;
  /** Where the key is found; the `api_key` parameter unless told otherwise. */
  readKey?: (call: Call) => string;
  /** Only keys made by `admin-key` may call; others get 403. */
  isAdminOnly?: boolean;
  /** More fields of the 401 for a key that is unknown or inactive. */
  unknownKeyFacts?: Record<string, boolean>;
  /** Throws for a request that is refused whatever its parameters, once its key is known. */
  refuse?: (call: Call) => void;
};

/** The body of the answer. When it throws, the call does not count. */
type Answer<Query> =
  | { answer: (query: Query, call: Call) => object | Promise<object>; answerEarly?: never }
  /** Of memory alone, and changing nothing: it is made while Redis is asked for the key, and told only if the key is good. */
  | { answerEarly: (query: Query, call: Call) => object; answer?: never };

/** What was counted of whom. */
type Charged = { apiKey: string; cost: number; at: Date; countedAs: string | undefined };

type KnownKey = Exclude<Admission, { verdict: 'invalid' }>;

/** Makes the body of a good answer to a call, as JSON, and its headers; throws a refusal. */
export type KeyedAnswer = (call: Call) => Promise<string>;

/** A middleware that answers calls with a key; `short` does so past Koa, where answers are short (`straight.ts`). */
export type KeyedMiddleware = ApiMiddleware & { short?: KeyedAnswer };

/** An endpoint behind a key. */
export function keyed<Query>(
  endpoint: KeyedEndpoint<Query>,
  deps: Pick<ApiDeps, 'keys' | 'now'>,
): KeyedMiddleware {
  const answer = keyedAnswer(endpoint, deps);
  const middleware: ApiMiddleware = async (ctx) => {
    const text = await answer(ctx);
    ctx.type = 'application/json';
    ctx.body = text;
    if (endpoint.isLong) ctx.state.mayBeLong = true;
  };
  return endpoint.isLong ? middleware : Object.assign(middleware, { short: answer });
}

/**
 * Refuses in the order 401, 403, 400 or 404, 429 with one round trip to Redis: the parameters are read first, and a
 * request known to be bad is checked at cost 0, so it is not counted. What is answered early is made in the time of that trip:
 * of a refused call in vain, which a key that is none or used up costs us as much as a good one.
 */
function keyedAnswer<Query>(
  endpoint: KeyedEndpoint<Query>,
  { keys, now }: Pick<ApiDeps, 'keys' | 'now'>,
): KeyedAnswer {
  const { readKey = readApiKey, countedAs, answerEarly } = endpoint;
  return async (call) => {
    const apiKey = readKey(call);
    const at = now();
    const query = settle(() => endpoint.parse(call));
    const cost = query.isGood ? endpoint.cost(query.value) : 0;

    const early =
      query.isGood && answerEarly
        ? meanwhile(() => JSON.stringify(answerEarly(query.value, call)))
        : undefined;
    const admission = await keys.admit(apiKey, cost, at, countedAs);
    const key = known(admission, endpoint.unknownKeyFacts);
    call.state.keyPrefix = key.prefix;
    setRateHeaders(call, key, at);
    if (endpoint.isAdminOnly === true && !key.isAdmin) {
      throw new RequestError(403, 'forbidden', 'This endpoint needs an admin key.');
    }
    endpoint.refuse?.(call);
    if (!query.isGood) {
      throw query.error;
    }
    if (key.verdict === 'over') {
      throw overLimit(key, cost, at);
    }
    try {
      const made = early ? early() : textOf(endpoint.answer?.(query.value, call));
      const text = typeof made === 'string' ? made : await made;
      const store = endpoint.storeOf?.(query.value);
      if (store) call.res.setHeader('X-Store-Version', store.manifest.version);
      return text;
    } catch (error) {
      await giveBack(call, key, { apiKey, cost, at, countedAs }, keys);
      throw error;
    }
  };
}

/** Written at once, where nobody is waited for: calls that came together would all hold their objects until then. */
function textOf(body: object | Promise<object> | undefined): string | Promise<string> {
  return body instanceof Promise ? body.then((one) => JSON.stringify(one)) : JSON.stringify(body);
}

/** Does the work once what was asked of others in this turn of the event loop is on its way; returns what gives its value. */
function meanwhile<T>(work: () => T): () => T {
  let done: Settled<T> | undefined;
  setImmediate(() => {
    done = settle(work);
  });
  return () => valueOf(done ?? settle(work));
}

/** The `api_key` parameter. A request with two of them is malformed: either could be meant. */
export function readApiKey(call: Call): string {
  const given = call.query['api_key'];
  if (given === undefined || given === '') {
    throw new RequestError(401, 'missing_api_key', missingKeyMessage(call));
  }
  if (Array.isArray(given)) {
    throw new RequestError(400, 'invalid_parameter', 'api_key is given more than once.', {
      param: 'api_key',
    });
  }
  return given;
}

/** Headers that callers of other services carry their keys in. */
const KEY_HEADERS = ['Authorization', 'X-API-Key'];

function missingKeyMessage(call: Call): string {
  const header = KEY_HEADERS.find((name) => call.get(name) !== '');
  const given = header === undefined ? '' : `Keys in the header ${header} are not accepted. `;
  return `${given}Give your API key as the parameter api_key.`;
}

function known(admission: Admission, facts: Record<string, boolean> = {}): KnownKey {
  if (admission.verdict === 'invalid') {
    throw new RequestError(401, 'invalid_api_key', 'This API key is unknown or inactive.', {
      facts,
    });
  }
  return admission;
}

function overLimit({ monthlyLimit, monthCount }: KnownKey, cost: number, at: Date): RequestError {
  const left = monthlyLimit - monthCount;
  const what = left > 0 ? `leaves ${left}, and this one costs ${cost}` : 'is reached';
  return new RequestError(
    429,
    'rate_limit_exceeded',
    `The monthly limit of ${monthlyLimit} calls ${what}; contact the provider to upgrade.`,
    { headers: { 'Retry-After': String(secondsLeft(at)) } },
  );
}

async function giveBack(
  call: Call,
  key: KnownKey,
  { apiKey, cost, at, countedAs }: Charged,
  keys: ApiDeps['keys'],
): Promise<void> {
  if (cost === 0) {
    return;
  }
  try {
    await keys.refund(apiKey, cost, at, countedAs);
    setRateHeaders(call, { ...key, monthCount: key.monthCount - cost }, at);
  } catch {
    // Redis went away in between: the call stays counted, and the answer is the failure that brought us here.
  }
}
