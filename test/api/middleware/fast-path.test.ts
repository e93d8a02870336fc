import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import test from 'ava';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { RedisUnavailableError } from '../../../warehouse/errors.ts';
import { fakeKeys, scoreUrl, someDeps } from '../helpers/app.ts';

/**
 * Requests an endpoint twice: with the exact path, which bypasses Koa, and with the path in capitals, which goes
 * through Koa.
 */
async function bothWays(url: string, changes: Partial<ApiDeps> = {}) {
  const headers = { 'x-request-id': 'from-the-caller' };
  const request = async (path: string) => {
    const handle = createApp(someDeps(changes)).callback();
    const listener: RequestListener = (request, response) => void handle(request, response);
    const answer = await inject(listener, { url: path, headers });
    const { date: _, ...otherHeaders } = answer.headers;
    return { status: answer.statusCode, headers: otherHeaders, body: answer.body };
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
