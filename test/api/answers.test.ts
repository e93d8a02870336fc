import test from 'ava';
import { anApi, fakeKeys, scoreUrl } from './helpers/app.ts';

test('an unknown path gets 404 in JSON', async (t) => {
  const call = anApi();
  for (const path of ['/', '/api', '/api/keys', '/api/score/x', '/api/%ff', '//api/score']) {
    const { status, headers, body } = await call(path);
    t.is(status, 404, path);
    t.deepEqual(body, { error: 'not_found', message: 'There is nothing at this path.' });
    t.is(headers['content-type'], 'application/json; charset=utf-8');
  }
});

test('a method other than GET or HEAD gets 405 in JSON with the allowed methods, with or without a key', async (t) => {
  const call = anApi();
  for (const path of ['/api/score', '/api/airlines', '/api/health']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const { status, headers, body } = await call(path, { method });
      t.is(status, 405, `${method} ${path}`);
      t.is(headers['allow'], 'GET, HEAD');
      t.deepEqual(body, { error: 'method_not_allowed', message: 'Use GET or HEAD here.' });
    }
  }
});

test('HEAD gets the headers of GET without a body, and is counted like GET', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  const get = await call(scoreUrl());
  const head = await call(scoreUrl(), { method: 'HEAD' });
  t.is(head.status, 200);
  t.deepEqual(head.body, {});
  t.is(head.headers['content-length'], get.headers['content-length']);
  t.is(keys.counted, 2);
});

test("every answer has a request id: the caller's own if it is harmless, otherwise a new one", async (t) => {
  const call = anApi();
  const idOf = async (id: string | undefined, url = scoreUrl()) => {
    const headers = id === undefined ? {} : { 'X-Request-Id': id };
    return (await call(url, { headers })).headers['x-request-id'];
  };
  t.is(await idOf('0b9f8d1c-trace-7'), '0b9f8d1c-trace-7');
  t.is(await idOf('0b9f8d1c-trace-7', '/nothing'), '0b9f8d1c-trace-7');
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  t.regex((await idOf(undefined, '/api/health'))!, uuid);
  for (const odd of [
    'short',
    'x'.repeat(65),
    'hw_live_abcdefgh',
    // Looks like the tail of a key.
    '1vK7qZ0TtGm3bXcR9yLwPa5dNe2QZ4sH',
    'a b c d e f',
    'me@example.com',
  ]) {
    t.regex((await idOf(odd))!, uuid, odd);
  }
});

test('every answer forbids browsers to send its address as Referer, because the address may contain a key; only the caller may cache an answer with status 200', async (t) => {
  const call = anApi();
  const statuses: number[] = [];
  for (const [url, method] of [
    [scoreUrl(), 'GET'],
    [scoreUrl({ date: 'x' }), 'GET'],
    [scoreUrl({ api_key: undefined }), 'GET'],
    [scoreUrl(), 'POST'],
    ['/api/keys/create?api_key=x', 'HEAD'],
    [scoreUrl().replace('score', 'scores'), 'GET'],
    [scoreUrl().replace('/api/', '/API/'), 'GET'],
    [`/${scoreUrl()}`, 'GET'],
    [scoreUrl().replace('/api/', '/docs/'), 'GET'],
  ] as const) {
    const { status, headers } = await call(url, { method });
    statuses.push(status);
    const cacheControl = status === 200 ? 'private, no-cache' : 'no-store';
    t.like(headers, { 'cache-control': cacheControl, 'referrer-policy': 'no-referrer' }, url);
  }
  t.deepEqual(statuses, [200, 400, 401, 405, 405, 404, 200, 404, 404]);
});

test('every answer to a valid key has the quota headers', async (t) => {
  const call = anApi({ keys: fakeKeys({ monthlyLimit: 1000, monthCount: 400 }) });
  for (const changes of [{}, { date: 'x' }, { origin: 'ZZZ' }]) {
    t.like((await call(scoreUrl(changes))).headers, {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '600',
      'x-ratelimit-reset': '1775001600',
      'ratelimit-policy': '"monthly";q=1000;w=2678400',
      ratelimit: '"monthly";r=600;t=1850400',
    });
  }
});

test('when the limit is below the count, the remaining calls are 0, not negative', async (t) => {
  const call = anApi({ keys: fakeKeys({ monthlyLimit: 10, monthCount: 40 }) });
  t.is((await call(scoreUrl())).headers['x-ratelimit-remaining'], '0');
});
