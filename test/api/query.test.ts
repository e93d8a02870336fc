import fc from 'fast-check';
import Koa from 'koa';
import test from 'ava';
import { readQueriesOnce } from '../../api/query.ts';

/** The request of that address, its query read as the API does, or as Koa does by itself. */
function aRequest(url: string, reads: 'api' | 'koa'): Koa.Request {
  const app = new Koa();
  if (reads === 'api') readQueriesOnce(app);
  return Object.assign(Object.create(app.request) as Koa.Request, { req: { url } });
}

test('a query is read once for each request', (t) => {
  const request = aRequest('/api/score?origin=JFK&dest=LAX', 'api');
  t.is(request.query, request.query);
  t.deepEqual({ ...request.query }, { origin: 'JFK', dest: 'LAX' });
});

test('a query says what it says to Koa: escapes, repeats, empty and odd parts', (t) => {
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
      const [ours, koas] = (['api', 'koa'] as const).map((reads) =>
        Object.entries(aRequest(`/?${query}`, reads).query),
      );
      t.deepEqual(ours, koas);
    }),
    { seed: 1, numRuns: 500 },
  );
});
