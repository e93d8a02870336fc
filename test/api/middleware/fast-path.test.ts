import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import inject from 'light-my-request';
import { Router } from '@koa/router';
import test from 'ava';
import { createApp } from '../../../api/app.ts';
import type { Call } from '../../../api/call.ts';
import type { ApiState } from '../../../api/context.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { bypassKoa } from '../../../api/middleware/fast-path.ts';
import { startServer } from '../../../api/server/server.ts';
import { until } from '../../jobs/helpers/command.ts';
import { RedisUnavailableError } from '../../../warehouse/errors.ts';
import { fakeKeys, scoreUrl, SOME_KEY, someDeps } from '../helpers/app.ts';

/**
 * Requests an endpoint twice: with the exact path, which bypasses Koa, and with the path in capitals, which goes
 * through Koa.
 */
async function bothWays(
  url: string,
  changes: Partial<ApiDeps> = {},
  sent: Record<string, string> = {},
) {
  const headers = { 'x-request-id': 'from-the-caller', ...sent };
  const request = async (path: string) => {
    const handle = createApp(someDeps(changes)).callback();
    const listener: RequestListener = (request, response) => void handle(request, response);
    const answer = await inject(listener, { url: path, headers });
    const { date: _, ...otherHeaders } = answer.headers;
    return { status: answer.statusCode, headers: otherHeaders, body: answer.rawPayload };
  };
  return [await request(url), await request(url.replace('/api/', '/API/'))] as const;
}

test('the fast path returns the same status, headers and body as Koa', async (t) => {
  const failing = (error: Error) => ({
    assess: () => {
      throw error;
    },
  });
  const cases: [status: number, url: string, changes?: Partial<ApiDeps>][] = [
    [200, scoreUrl()],
    [200, scoreUrl({ include: 'lineage', news: '1' })],
    [200, scoreUrl().replace('score', 'news')],
    [200, scoreUrl().replace('score', 'keys/validate')],
    [400, scoreUrl({ date: 'soon' })],
    [400, `${scoreUrl()}&origin=JFK`],
    [401, scoreUrl({ api_key: undefined })],
    [404, scoreUrl({ origin: 'ZZZ' })],
    [429, scoreUrl(), { keys: fakeKeys({ verdict: 'over', monthCount: 100 }) }],
    [500, scoreUrl(), failing(new Error('a fault'))],
    [503, scoreUrl(), failing(new RedisUnavailableError('away'))],
    [503, scoreUrl(), { stores: { current: () => undefined } }],
  ];
  for (const [status, url, changes] of cases) {
    const [fast, throughKoa] = await bothWays(url, changes);
    t.is(fast.status, status, url);
    t.deepEqual(fast, throughKoa, url);
  }
});

const FLIGHTS = Array.from({ length: 28 }, (_, at) => `JFK-LAX-AA-2026-04-${at + 1}`)
  .map((flight) => flight.replace(/-(\d)$/, '-0$1'))
  .join(',');
const BATCH = `/api/score/batch?flights=${FLIGHTS}&api_key=${SOME_KEY}`;
const CALENDAR = `/api/calendar?origin=JFK&dest=LAX&airline=AA&month=2026-04&api_key=${SOME_KEY}`;

test('the fast path compresses long answers as Koa does', async (t) => {
  const cases: [url: string, encodings: string, coding: string | undefined][] = [
    [BATCH, 'gzip, br', 'br'],
    [BATCH, 'gzip;q=0.5, br;q=0', 'gzip'],
    [BATCH, 'identity', undefined],
    [CALENDAR, 'gzip, br', undefined],
  ];
  for (const [url, encodings, coding] of cases) {
    const [fast, throughKoa] = await bothWays(url, {}, { 'accept-encoding': encodings });
    t.is(fast.status, 200, url);
    t.is(fast.headers['content-encoding'], coding, encodings);
    t.is(fast.headers['vary'], url === BATCH ? 'Accept-Encoding' : undefined, url);
    t.deepEqual(fast, throughKoa, encodings);
  }
});

test('a changed answer above the quota has no ETag, with and without Koa', async (t) => {
  const keys = fakeKeys({ verdict: 'over', monthCount: 100 });
  for (const url of [scoreUrl(), BATCH, CALENDAR]) {
    const [fast, throughKoa] = await bothWays(url, { keys }, { 'if-none-match': 'W/"before"' });
    t.is(fast.status, 429, url);
    t.is(fast.headers['etag'], undefined, url);
    t.is(throughKoa.status, 429, url);
    t.is(throughKoa.headers['etag'], undefined, url);
  }
});

test('an endpoint sees that its caller has reset the connection', async (t) => {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const keyedAnswer = async ({ res }: Call) => {
    started.resolve();
    await until('the connection is closed', () => res.destroyed === true).then(
      ended.resolve,
      ended.reject,
    );
    return '{}';
  };
  const router = new Router<ApiState>();
  router.get(
    '/slow',
    Object.assign(() => undefined, { keyedAnswer }),
  );
  const deps = { log: someDeps().log, logRequest: () => undefined };
  const handle = bypassKoa(router, deps, () => Promise.resolve());
  const server = await startServer((request, response) => void handle(request, response), {
    port: 0,
    host: '127.0.0.1',
  });
  t.teardown(server.close);
  const caller = connect(server.port, '127.0.0.1');
  caller.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await started.promise;
  caller.resetAndDestroy();
  await t.notThrowsAsync(ended.promise);
});
