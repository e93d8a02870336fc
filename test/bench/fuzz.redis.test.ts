import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import fc from 'fast-check';
import { requestSchemas, routePaths, schemasOf } from '../../bench/fuzz/endpoints.ts';
import { shots, type Shot } from '../../bench/fuzz/requests.ts';
import { problemOf } from '../../bench/fuzz/verdict.ts';

const MAIN = fileURLToPath(new URL('../../bench/fuzz/main.ts', import.meta.url));

test('two thousand malformed and hostile requests get no 5xx, no hang, and errors in JSON', async (t) => {
  const fuzz = spawn(process.execPath, [MAIN, '--requests', '2000', '--seed', '2']);
  const [out, , [code]] = await Promise.all([
    text(fuzz.stdout),
    text(fuzz.stderr),
    once(fuzz, 'close') as Promise<[number | null]>,
  ]);
  t.is(code, 0, out);
  t.regex(out, /^2000 requests to \d+ paths: 0 failures \(SEED=2\)$/m);
  const good = Number(/200 × (\d+)/.exec(out)?.[1]);
  t.true(good > 200, 'more than 200 requests pass every check');
});

test('fuzz takes its paths from the router and its parameters from the schemas', async (t) => {
  const paths = routePaths();
  for (const path of ['/api/score', '/api/airlines', '/api/keys/create', '/api/health']) {
    t.true(paths.includes(path), path);
  }
  const schemas = await requestSchemas();
  const namesFor = (path: string) => schemasOf(path, schemas).map(({ name }) => name);
  t.deepEqual(namesFor('/api/score'), ['score']);
  t.deepEqual(namesFor('/api/keys/create'), ['createKey']);
  t.deepEqual(namesFor('/api/keys/usage'), ['usage']);
  t.is(namesFor('/api/health').length, schemas.length);
});

test('the same seed makes the same requests, of every kind', async (t) => {
  const all = shots(routePaths(), await requestSchemas());
  const make = (seed: number) => fc.sample(all, { numRuns: 200, seed });
  t.deepEqual(make(5), make(5));
  t.notDeepEqual(make(5), make(6));
  t.is(new Set(make(5).map(({ kind }) => kind)).size, 4);
});

const SHOT: Shot = { kind: 'bytes', isHead: false, bytes: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' };

function answer(status: number, body: string, type = 'application/json; charset=utf-8') {
  return `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\n\r\n${body}`;
}

const REFUSED = '{"error":"bad_request","message":"No."}';

for (const [name, reply, problem] of [
  ['an error in JSON', answer(400, REFUSED), undefined],
  ['a good answer', answer(200, '<html>', 'text/html'), undefined],
  ['a documented 501', answer(501, '{"error":"not_available","message":"No."}'), undefined],
  ['a 500', answer(500, REFUSED), 'status 500'],
  ['another 501', answer(501, REFUSED), 'status 501'],
  ['an HTML error page', answer(400, '<h1>No</h1>', 'text/html'), 'an error of type "text/html"'],
  ['an error after a good answer', answer(200, '{}') + answer(503, REFUSED), 'status 503'],
  [
    'an error without a message',
    answer(404, '{"error":"not_found"}'),
    'the body is not { error, message }',
  ],
  ['an empty body', answer(404, ''), 'the body is not { error, message }'],
  [
    'a stack',
    answer(400, REFUSED.replace('}', ',"stack":"at x"}')),
    'the body is not { error, message }',
  ],
  ['silence', '', 'no answer'],
] as const) {
  test(`the verdict on ${name} is ${problem ?? 'good'}`, (t) => {
    t.is(problemOf(SHOT, { answer: reply, end: 'closed' }), problem);
  });
}

test('a connection that hangs is a failure, even after a good answer', (t) => {
  const exchange = { answer: answer(200, '{}'), end: 'timeout' } as const;
  t.is(problemOf(SHOT, exchange), 'the connection hangs');
});
