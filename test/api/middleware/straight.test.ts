import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import test from 'ava';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { RedisAwayError } from '../../../warehouse/errors.ts';
import { fakeKeys, scoreUrl, someDeps } from '../helpers/app.ts';

/** Both ways to the same endpoint: its very path goes straight, one in capitals through Koa. */
async function bothWays(url: string, changes: Partial<ApiDeps> = {}) {
  const headers = { 'x-request-id': 'from-the-caller' };
  const ask = async (path: string) => {
    const handle = createApp(someDeps(changes)).callback();
    const listener: RequestListener = (request, response) => void handle(request, response);
    const answer = await inject(listener, { url: path, headers });
    const { date: _, ...told } = answer.headers;
    return { status: answer.statusCode, headers: told, body: answer.body };
  };
  return [await ask(url), await ask(url.replace('/api/', '/API/'))] as const;
}

test('what goes straight has status, headers and body as if Koa had answered it', async (t) => {
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
    [503, scoreUrl(), failing(new RedisAwayError('away'))],
    [503, scoreUrl(), { stores: { current: () => undefined } }],
  ];
  for (const [status, url, changes] of cases) {
    const [straight, throughKoa] = await bothWays(url, changes);
    t.is(straight.status, status, url);
    t.deepEqual(straight, throughKoa, url);
  }
});
