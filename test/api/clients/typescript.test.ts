import test from 'ava';
import {
  createClient,
  HeadwindError,
  type Client,
  type ClientOptions,
  type Proof,
} from '../../../api/clients/headwind.ts';
import { caller, HeadwindError as CallError } from '../../../api/clients/runtime.ts';
import { fakeKeys } from '../helpers/app.ts';
import { startClient } from '../helpers/served.ts';

const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };

/** Creates a client whose calls all get this response. */
function clientWith(body: string, init: ResponseInit): Client {
  const fetch = () => Promise.resolve(new Response(body, init));
  return createClient({ baseUrl: 'http://headwind.example', apiKey: 'k', retries: 0, fetch });
}

test('an error has status, code, parameter and request id', async (t) => {
  const client = await startClient(t);
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

test('an exhausted quota says when to try again', async (t) => {
  const client = await startClient(t, { keys: fakeKeys({ verdict: 'over' } as object) });
  const error = await t.throwsAsync<HeadwindError>(client.score(FLIGHT));
  t.is(error.code, 'rate_limit_exceeded');
  // From 10 March 14:00 UTC to the end of the month.
  t.is(error.retryAfter, (21 * 24 + 10) * 3600);
});

test('a call without a key is refused by the service', async (t) => {
  const served = await startClient(t, {}, { apiKey: '' });
  const error = await t.throwsAsync<HeadwindError>(served.airlines(FLIGHT));
  t.is(error.code, 'missing_api_key');
});

test('a response of another server, such as a proxy, is an error with any status', async (t) => {
  for (const status of [200, 502]) {
    const client = clientWith('<html>Bad gateway</html>', { status });
    const error = await t.throwsAsync<HeadwindError>(client.score(FLIGHT));
    t.is(error.code, 'invalid_response');
    t.is(error.status, status);
  }
});

test('parameters are sent as the query expects them, and missing parameters are left out', async (t) => {
  const urls: URL[] = [];
  const fetch = (url: unknown) => {
    urls.push(url as URL);
    return Promise.resolve(Response.json({}));
  };
  const client = createClient({ baseUrl: 'http://headwind.example', apiKey: 'k&k', fetch });
  await client.score({ ...FLIGHT, dep_time: '17:30', include: ['lineage', 'blend'] });
  await client.news({ origin: 'JFK', dest: 'LAX', refresh: true });
  t.deepEqual(
    urls.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)]),
    [
      ['/api/score', { ...FLIGHT, dep_time: '17:30', include: 'lineage,blend', api_key: 'k&k' }],
      ['/api/news', { origin: 'JFK', dest: 'LAX', refresh: 'true', api_key: 'k&k' }],
    ],
  );
});

test('a signed call reports the exact body and its signature, without the key', async (t) => {
  const proofs: Proof[] = [];
  const client = await startClient(t, {}, { onSigned: (proof) => proofs.push(proof) });
  await client.score(FLIGHT);
  const answer = await client.score({ ...FLIGHT, signed: true });
  t.is(proofs.length, 1);
  const [{ url, body, signature } = { url: '', body: '', signature: '' }] = proofs;
  t.deepEqual(JSON.parse(body), answer);
  t.regex(signature, /^[\w-]+\.\.[\w-]+$/);
  t.true(url.endsWith('date=2026-03-20&signed=true'), url);
});

test('a call without a response ends at its deadline', async (t) => {
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
  const timer = setTimeout(() => undefined, 60_000);
  t.teardown(() => clearTimeout(timer));
  const error = await t.throwsAsync<HeadwindError>(client.health(), { instanceOf: HeadwindError });
  t.like(error, { code: 'no_response', status: undefined, cause: { name: 'TimeoutError' } });
});

/** Creates a client whose calls get these responses in turn, and records the waits between them. */
function clientWithAnswers(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
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
const unavailable = (retryAfter: string) => () =>
  Response.json(
    { error: 'service_unavailable' },
    { status: 503, headers: { 'Retry-After': retryAfter } },
  );

test('a temporary failure is retried after the named time', async (t) => {
  const { client, at } = clientWithAnswers([unavailable('1'), good]);
  t.deepEqual((await client.airlines(FLIGHT)).airlines, []);
  t.is(at.length, 2);
  t.true(at[1]! - at[0]! >= 990);
});

test('a client never waits or retries more than its options allow, and never retries a final error', async (t) => {
  const long = clientWithAnswers([unavailable('60'), good]);
  const error = await t.throwsAsync<HeadwindError>(long.client.airlines(FLIGHT));
  t.is(error.retryAfter, 60);
  t.is(long.at.length, 1);
  const often = clientWithAnswers([unavailable('0'), unavailable('0'), unavailable('0'), good]);
  await t.throwsAsync(often.client.airlines(FLIGHT));
  t.is(often.at.length, 3);
  const wrong = clientWithAnswers([
    () => Response.json({ error: 'unknown_airport' }, { status: 404 }),
    good,
  ]);
  await t.throwsAsync(wrong.client.airlines(FLIGHT));
  t.is(wrong.at.length, 1);
});

test('the creation of a key is never retried', async (t) => {
  const { client, at } = clientWithAnswers([unavailable('0'), good]);
  await t.throwsAsync(client.keysCreate({ name: 'A', email: 'a@b.example' }));
  t.is(at.length, 1);
});

/** Creates client options with this `fetch`, and counts the tries. */
function tries(answers: (() => Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const urls: URL[] = [];
  const fetch = (url: unknown) => {
    urls.push(url as URL);
    return answers[urls.length - 1]!();
  };
  const call = caller({ baseUrl: 'http://headwind.example', apiKey: 'k', fetch, ...options });
  return { call, urls };
}

const respondWith = (body: unknown, init: ResponseInit = {}) => {
  return () => Promise.resolve(Response.json(body, init));
};
const broken = () => Promise.reject(new TypeError('fetch failed'));

test('a failed connection is retried after doubling waits, up to the longest allowed wait', async (t) => {
  const impatient = tries([broken, respondWith({})], { patienceMs: 249 });
  await t.throwsAsync(impatient.call({ path: '/api/score' }), { instanceOf: CallError });
  t.is(impatient.urls.length, 1);
  const patient = tries([broken, broken, respondWith({})], { patienceMs: 250 });
  const error = await t.throwsAsync(patient.call({ path: '/api/score' }), {
    instanceOf: CallError,
  });
  t.like(error, { code: 'no_response', cause: { message: 'fetch failed' } });
  t.is(patient.urls.length, 2);
});

test('an incomplete response is reported as no response', async (t) => {
  const cut = new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) });
  const { call } = tries([() => Promise.resolve(new Response(cut))], { retries: 0 });
  const error = await t.throwsAsync(call({ path: '/api/score' }), { instanceOf: CallError });
  t.like(error, { code: 'no_response', cause: { message: 'terminated' } });
});

test('an endpoint declares its accepted statuses and whether it may be retried', async (t) => {
  const degraded = respondWith({ status: 'degraded' }, { status: 503 });
  const health = tries([degraded], { apiKey: undefined });
  const accepted = await health.call(
    { path: '/api/health', accepted: [200, 503] },
    { a: 1, b: undefined },
  );
  t.deepEqual(accepted, { status: 'degraded' });
  t.is(health.urls[0]?.href, 'http://headwind.example/api/health?a=1');
  const unavailable = respondWith(
    { error: 'away' },
    { status: 503, headers: { 'Retry-After': '0' } },
  );
  const once = tries([unavailable, respondWith({})]);
  await t.throwsAsync(once.call({ path: '/api/keys', isOnce: true }), { instanceOf: CallError });
  t.is(once.urls.length, 1);
  const repeatable = tries([unavailable, respondWith({ score: 12 })]);
  t.deepEqual(await repeatable.call({ path: '/api/score' }), { score: 12 });
});

test('an error without message, code or time keeps the known fields', async (t) => {
  const { call, urls } = tries([
    respondWith(null, { status: 500, headers: { 'Retry-After': 'later' } }),
  ]);
  const error = await t.throwsAsync<CallError>(call({ path: '/api/score' }));
  t.like(error, {
    name: 'HeadwindError',
    message: 'HTTP 500 without a message',
    ...{ status: 500, code: 'invalid_response' },
    ...{ param: undefined, requestId: undefined, retryAfter: undefined },
  });
  t.is(urls.length, 1, 'a retry would not help');
});
