import test from 'ava';
import {
  absenceReason,
  isPage,
  peek,
  retryAfterMs,
  totalBytes,
  validatorOf,
} from '../../../pipelines/flights/http-answer.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');

test('Retry-After is in seconds or a date', (t) => {
  const after = (header?: string) =>
    retryAfterMs(new Headers(header === undefined ? {} : { 'retry-after': header }), NOW);
  t.is(after(), undefined);
  t.is(after('30'), 30_000);
  t.is(after('Sun, 22 Nov 2026 10:01:00 GMT'), 60_000);
  t.is(after('Sun, 22 Nov 2026 09:00:00 GMT'), 0);
  t.is(after('soon'), undefined);
});

test('a web page in place of a file means that the file is absent', (t) => {
  const reason = (status: number, type?: string) =>
    absenceReason({
      status,
      headers: new Headers(type === undefined ? {} : { 'content-type': type }),
    });
  t.is(reason(410), 'the server answers 410');
  t.is(
    reason(200, 'text/html; charset=utf-8'),
    'the server answers with a web page instead of a file',
  );
  t.is(reason(500, 'text/html'), undefined);
  t.is(reason(200), undefined);
  t.true(isPage(Buffer.from('\ufeff\n<!DOCTYPE html><html>')));
  t.false(isPage(Buffer.from('PK\u0003\u0004')));
  t.false(isPage(undefined));
});

test('a body still contains its first chunk after a peek', async (t) => {
  async function* chunks(...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  }
  const read = async (body: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(body)).toString();
  const result = await peek(chunks('ab', 'cd'));
  t.is(Buffer.from(result.first ?? []).toString(), 'ab');
  t.is(await read(result.body), 'abcd');
  const empty = await peek(chunks());
  t.deepEqual([empty.first, await read(empty.body)], [undefined, '']);
});

test('size and version of a file come from the headers, if present', (t) => {
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
