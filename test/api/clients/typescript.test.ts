import test from 'ava';
import {
  createClient,
  HeadwindError,
  type Client,
  type ClientOptions,
} from '../../../api/clients/headwind.ts';
import { caller, HeadwindError as CallError } from '../../../api/clients/runtime.ts';
import { fakeKeys } from '../helpers/app.ts';
import { aServedApi } from '../helpers/served.ts';

const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };

/** A client whose every call gets that answer. */
function answered(body: string, init: ResponseInit): Client {
  const fetch = () => Promise.resolve(new Response(body, init));
  return createClient({ baseUrl: 'http://headwind.example', apiKey: 'k', retries: 0, fetch });
}

test('a refusal says status, code, parameter and request id', async (t) => {
  const client = await aServedApi(t);
  const error = await t.throwsAsync<HeadwindError>(client.score({ ...FLIGHT, airline: '0X' }), {
    instanceOf: HeadwindError,
    message: 'No operating airline has the code 0X.',
  });
  t.is(error.status, 404);
  t.is(error.code, 'unknown_airline');
  t.is(error.param, 'airline');
  t.regex(error.requestId!, /^[0-9a-f-]{36}$/);
  t.is(error.retryAfter, undefined);
});

test('a used-up quota says when to try again', async (t) => {
  const client = await aServedApi(t, { keys: fakeKeys({ verdict: 'over' } as object) });
  const error = await t.throwsAsync<HeadwindError>(client.score(FLIGHT));
  t.is(error.code, 'rate_limit_exceeded');
  // From 10 March 14:00 UTC to the end of the month.
  t.is(error.retryAfter, (21 * 24 + 10) * 3600);
});

test('a call without a key is refused by the service', async (t) => {
  const served = await aServedApi(t, {}, { apiKey: '' });
  const error = await t.throwsAsync<HeadwindError>(served.airlines(FLIGHT));
  t.is(error.code, 'missing_api_key');
});

test('an answer that is not of the service is an error too, whatever its status', async (t) => {
  for (const status of [200, 502]) {
    const client = answered('<html>Bad gateway</html>', { status });
    const error = await t.throwsAsync<HeadwindError>(client.score(FLIGHT));
    t.is(error.code, 'invalid_response');
    t.is(error.status, status);
  }
});

test('parameters are sent as they are meant, and those not given not at all', async (t) => {
  const asked: URL[] = [];
  const fetch = (url: unknown) => {
    asked.push(url as URL);
    return Promise.resolve(Response.json({}));
  };
  const client = createClient({ baseUrl: 'http://headwind.example', apiKey: 'k&k', fetch });
  await client.score({ ...FLIGHT, dep_time: '17:30', include: ['lineage', 'blend'] });
  await client.news({ origin: 'JFK', dest: 'LAX', refresh: true });
  t.deepEqual(
    asked.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)]),
    [
      ['/api/score', { ...FLIGHT, dep_time: '17:30', include: 'lineage,blend', api_key: 'k&k' }],
      ['/api/news', { origin: 'JFK', dest: 'LAX', refresh: 'true', api_key: 'k&k' }],
    ],
  );
});

test('a call that gets no answer ends at its deadline', async (t) => {
  const fetch = (_url: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  const client = createClient({
    baseUrl: 'http://headwind.example',
    deadlineMs: 5,
    retries: 0,
    fetch,
  });
  const held = setTimeout(() => undefined, 60_000);
  t.teardown(() => clearTimeout(held));
  const error = await t.throwsAsync<HeadwindError>(client.health(), { instanceOf: HeadwindError });
  t.like(error, { code: 'no_response', status: undefined, cause: { name: 'TimeoutError' } });
});

/** A client whose calls get those answers in turn, and how long it waited in between. */
function inTurn(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
  const at: number[] = [];
  const fetch = () => {
    at.push(performance.now());
    return Promise.resolve(answers[at.length - 1]!());
  };
  const client = createClient({
    baseUrl: 'http://headwind.example',
    apiKey: 'k',
    fetch,
    ...options,
  });
  return { client, at };
}

const good = () => Response.json({ origin: 'JFK', dest: 'LAX', airlines: [] });
const away = (retryAfter: string) => () =>
  Response.json(
    { error: 'service_unavailable' },
    { status: 503, headers: { 'Retry-After': retryAfter } },
  );

test('what is refused for the moment is asked again after the time it names', async (t) => {
  const { client, at } = inTurn([away('1'), good]);
  t.deepEqual((await client.airlines(FLIGHT)).airlines, []);
  t.is(at.length, 2);
  t.true(at[1]! - at[0]! >= 990);
});

test('nobody waits longer than asked to, tries more often than asked to, or asks again in vain', async (t) => {
  const long = inTurn([away('60'), good]);
  const error = await t.throwsAsync<HeadwindError>(long.client.airlines(FLIGHT));
  t.is(error.retryAfter, 60);
  t.is(long.at.length, 1);
  const often = inTurn([away('0'), away('0'), away('0'), good]);
  await t.throwsAsync(often.client.airlines(FLIGHT));
  t.is(often.at.length, 3);
  const wrong = inTurn([() => Response.json({ error: 'unknown_airport' }, { status: 404 }), good]);
  await t.throwsAsync(wrong.client.airlines(FLIGHT));
  t.is(wrong.at.length, 1);
});

test('a key is asked for once, whatever comes of it', async (t) => {
  const { client, at } = inTurn([away('0'), good]);
  await t.throwsAsync(client.keysCreate({ name: 'A', email: 'a@b.example' }));
  t.is(at.length, 1);
});

/** What clients call with, given what `fetch` does at each try, and how often it tried. */
function tries(answers: (() => Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const asked: URL[] = [];
  const fetch = (url: unknown) => {
    asked.push(url as URL);
    return answers[asked.length - 1]!();
  };
  const call = caller({ baseUrl: 'http://headwind.example', apiKey: 'k', fetch, ...options });
  return { call, asked };
}

const said = (body: unknown, init: ResponseInit = {}) => {
  return () => Promise.resolve(Response.json(body, init));
};
const broken = () => Promise.reject(new TypeError('fetch failed'));

test('what did not come through is tried again after waits that double, as far as patience goes', async (t) => {
  const none = tries([broken, said({})], { patienceMs: 249 });
  await t.throwsAsync(none.call({ path: '/api/score' }), { instanceOf: CallError });
  t.is(none.asked.length, 1);
  const some = tries([broken, broken, said({})], { patienceMs: 250 });
  const error = await t.throwsAsync(some.call({ path: '/api/score' }), { instanceOf: CallError });
  t.like(error, { code: 'no_response', cause: { message: 'fetch failed' } });
  t.is(some.asked.length, 2);
});

test('an answer that breaks off is none, and no refusal of the service', async (t) => {
  const cut = new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) });
  const { call } = tries([() => Promise.resolve(new Response(cut))], { retries: 0 });
  const error = await t.throwsAsync(call({ path: '/api/score' }), { instanceOf: CallError });
  t.like(error, { code: 'no_response', cause: { message: 'terminated' } });
});

test('an endpoint says which answers are good ones, and what must not be asked twice', async (t) => {
  const degraded = said({ status: 'degraded' }, { status: 503 });
  const health = tries([degraded], { apiKey: undefined });
  const accepted = await health.call(
    { path: '/api/health', accepted: [200, 503] },
    { a: 1, b: undefined },
  );
  t.deepEqual(accepted, { status: 'degraded' });
  t.is(health.asked[0]?.href, 'http://headwind.example/api/health?a=1');
  const away = said({ error: 'away' }, { status: 503, headers: { 'Retry-After': '0' } });
  const once = tries([away, said({})]);
  await t.throwsAsync(once.call({ path: '/api/keys', isOnce: true }), { instanceOf: CallError });
  t.is(once.asked.length, 1);
  const again = tries([away, said({ score: 12 })]);
  t.deepEqual(await again.call({ path: '/api/score' }), { score: 12 });
});

test('of a refusal without message, code or time is told what there is', async (t) => {
  const { call, asked } = tries([said(null, { status: 500, headers: { 'Retry-After': 'later' } })]);
  const error = await t.throwsAsync<CallError>(call({ path: '/api/score' }));
  t.like(error, {
    name: 'HeadwindError',
    message: 'HTTP 500 without a message',
    ...{ status: 500, code: 'invalid_response' },
    ...{ param: undefined, requestId: undefined, retryAfter: undefined },
  });
  t.is(asked.length, 1, 'to try again would not help');
});
