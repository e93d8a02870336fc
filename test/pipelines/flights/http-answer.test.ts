import test from 'ava';
import {
  absence,
  isPage,
  peek,
  retryAfterMs,
  totalBytes,
  validatorOf,
} from '../../../pipelines/flights/http-answer.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');

test('how long to leave a server alone may be said in seconds or as a date', (t) => {
  const after = (given?: string) =>
    retryAfterMs(new Headers(given === undefined ? {} : { 'retry-after': given }), NOW);
  t.is(after(), undefined);
  t.is(after('30'), 30_000);
  t.is(after('Sun, 22 Nov 2026 10:01:00 GMT'), 60_000);
  t.is(after('Sun, 22 Nov 2026 09:00:00 GMT'), 0);
  t.is(after('soon'), undefined);
});

test('a web page in place of a file is no file, whatever it is called', (t) => {
  const answer = (status: number, type?: string) =>
    absence({ status, headers: new Headers(type === undefined ? {} : { 'content-type': type }) });
  t.is(answer(410), 'the server answers 410');
  t.is(
    answer(200, 'text/html; charset=utf-8'),
    'the server answers with a web page instead of a file',
  );
  t.is(answer(500, 'text/html'), undefined);
  t.is(answer(200), undefined);
  t.true(isPage(Buffer.from('\ufeff\n<!DOCTYPE html><html>')));
  t.false(isPage(Buffer.from('PK\u0003\u0004')));
  t.false(isPage(undefined));
});

test('what is looked at of a body is still in it', async (t) => {
  async function* pieces(...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  }
  const read = async (body: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(body)).toString();
  const some = await peek(pieces('ab', 'cd'));
  t.is(Buffer.from(some.first ?? []).toString(), 'ab');
  t.is(await read(some.body), 'abcd');
  const none = await peek(pieces());
  t.deepEqual([none.first, await read(none.body)], [undefined, '']);
});

test('the size of a file and its version are told as far as the server tells them', (t) => {
  const bytes = (length?: string) =>
    totalBytes(
      { headers: new Headers(length === undefined ? {} : { 'content-length': length }) },
      5,
    );
  t.deepEqual([bytes('10'), bytes('ten'), bytes()], [15, undefined, undefined]);
  const lastModified = 'Sun, 22 Nov 2026 10:00:00 GMT';
  t.deepEqual(validatorOf(new Headers({ etag: '"1"', 'last-modified': lastModified })), {
    etag: '"1"',
    lastModified,
  });
  t.deepEqual(validatorOf(new Headers()), {});
});
