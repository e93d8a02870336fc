import fc from 'fast-check';
import Koa from 'koa';
import test from 'ava';
import { readQueriesOnce } from '../../api/app.ts';

/** Creates a request for the address, whose query is read by the API's parser or by Koa's own. */
function aRequest(url: string, parser: 'api' | 'koa'): Koa.Request {
  const app = new Koa();
  if (parser === 'api') readQueriesOnce(app);
  return Object.assign(Object.create(app.request) as Koa.Request, { req: { url } });
}

test('a query is parsed once per request', (t) => {
  const request = aRequest('/api/score?origin=JFK&dest=LAX', 'api');
  t.is(request.query, request.query);
  t.deepEqual({ ...request.query }, { origin: 'JFK', dest: 'LAX' });
});

test("a query is parsed like Koa's: escapes, repeated, empty and unusual parts", (t) => {
  const part = fc.constantFrom(
    'a',
    'b',
    '__proto__',
    '=',
    '&',
    '+',
    '%20',
    '%zz',
    '%C3%28',
    '%',
    '',
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (query) => {
      const [ours, koas] = (['api', 'koa'] as const).map((parser) =>
        Object.entries(aRequest(`/?${query}`, parser).query),
      );
      t.deepEqual(ours, koas);
    }),
    { seed: 1, numRuns: 500 },
  );
});
