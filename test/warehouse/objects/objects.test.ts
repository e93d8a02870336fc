import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { sha256 } from '../../../warehouse/ground/sha256.ts';
import { folderObjects } from '../../../warehouse/objects/folder.ts';
import type { Objects } from '../../../warehouse/objects/objects.ts';
import { s3Objects, type S3Options } from '../../../warehouse/objects/s3.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { S3_KEY, s3Server } from '../../helpers/s3-server.ts';

const CONTENT = Buffer.from('x'.repeat(100_000));
const EXPECTED = { bytes: CONTENT.length, sha256: sha256(CONTENT) };

async function aBucket(t: ExecutionContext, options: Partial<S3Options> = {}) {
  const server = await s3Server(t);
  const objects = s3Objects({
    bucket: 'lake',
    prefix: 'a/b',
    endpoint: server.url,
    region: 'eu-west-1',
    ...S3_KEY,
    retryMs: 1,
    ...options,
  });
  return { server, objects };
}

const places: Record<string, (t: ExecutionContext) => Promise<Objects>> = {
  'a folder': async (t) => folderObjects(await aFolder(t)),
  'a bucket': async (t) => (await aBucket(t)).objects,
};

for (const [what, open] of Object.entries(places)) {
  test(`${what} gives back what was put, lists it by prefix in order, and forgets what is removed`, async (t) => {
    const objects = await open(t);
    const names = [
      'year=2025/month=03/é 1.txt',
      ...'abcdefg'.split('').map((c) => `year=2025/${c}`),
    ];
    for (const name of names) await objects.put(name, Buffer.from(name));
    await objects.put('years', CONTENT);
    const found = await objects.list('year=');
    t.deepEqual(
      found.map(({ name, bytes }) => [name, bytes]),
      names.toSorted().map((name) => [name, Buffer.byteLength(name)]),
    );
    t.is((await objects.read(names[0]!))?.toString(), names[0]);
    t.is(await objects.read('none'), undefined);
    const file = path.join(await aFolder(t), 'below', 'file');
    await objects.get('years', file, EXPECTED);
    t.deepEqual(await readFile(file), CONTENT);
    await objects.remove('years');
    await objects.remove('years');
    t.is(await objects.read('years'), undefined);
    await t.notThrowsAsync(objects.check());
  });

  test(`${what} that has other bytes than were written is told, and no file is made of them`, async (t) => {
    const objects = await open(t);
    await objects.put('x', CONTENT.subarray(1));
    const folder = await aFolder(t);
    const file = path.join(folder, 'file');
    await writeFile(file, 'before');
    await t.throwsAsync(objects.get('x', file, EXPECTED), { name: 'CorruptFileError' });
    await t.throwsAsync(objects.get('none', file, EXPECTED), { message: /none: not there/ });
    t.is(await readFile(file, 'utf8'), 'before');
    t.deepEqual(await readdir(folder), ['file']);
  });
}

test('a folder is listed while other machines delete files and folders of it', async (t) => {
  const folder = await aFolder(t);
  const objects = folderObjects(folder);
  await objects.put('stays/a', CONTENT);
  for (let round = 1; round <= 5; round++) {
    const going = Array.from({ length: 100 }, (_, at) => `going/${at}`);
    await Promise.all(going.map((name) => objects.put(`${name}/file`, CONTENT)));
    const [found] = await Promise.all([
      objects.list(''),
      ...going.map((name) => rm(path.join(folder, name), { recursive: true })),
    ]);
    t.true(found.some(({ name }) => name === 'stays/a'));
  }
  t.deepEqual(
    (await objects.list('')).map(({ name }) => name),
    ['stays/a'],
  );
});

test('a folder that is not mounted is told with what helps', async (t) => {
  const folder = path.join(await aFolder(t), 'none');
  const objects = folderObjects(folder);
  await t.throwsAsync(objects.check(), { message: /not there.*mount it/ });
  await t.throwsAsync(objects.put('a/b', Buffer.from('c')), { message: /not there.*mount it/ });
  await t.throwsAsync(objects.list(''), { message: /not there.*mount it/ });
  await t.throwsAsync(objects.read('a'), { message: /not there.*mount it/ });
  t.false(existsSync(folder), 'and is not made');
  await mkdir(folder);
  await t.notThrowsAsync(folderObjects(folder).check());
});

test('what a server cannot do for a moment is tried again: 503, 429, hanging up, cut on the way', async (t) => {
  const { server, objects } = await aBucket(t);
  const on = (request: string) => /^(PUT|GET) lake\/a\/b\/x$/.test(request);
  server.fail({ on, times: 1, status: 503, code: 'SlowDown' });
  server.fail({ on, times: 1, status: 429, code: 'TooManyRequests' });
  server.fail({ on, times: 1, what: 'cut put' });
  await objects.put('x', CONTENT);
  t.is(server.requests.length, 4);
  server.fail({ on, times: 2, what: 'cut' });
  server.fail({ on, times: 1, what: 'hang up' });
  const file = path.join(await aFolder(t), 'file');
  await objects.get('x', file, EXPECTED);
  t.deepEqual(await readFile(file), CONTENT);
  t.is(server.requests.length, 8);
  server.fail({ on: () => true, times: 9, status: 503, code: 'ServiceUnavailable' });
  const error = await t.throwsAsync(objects.read('x'), { name: 'StorageAwayError' });
  t.is(error.message, 's3://lake/a/b is away: ServiceUnavailable, Not so');
  t.is(server.requests.length, 13);
});

test('a server that says nothing is not waited for beyond the deadline', async (t) => {
  const { server, objects } = await aBucket(t, { deadlineMs: 50 });
  server.fail({ on: () => true, times: 99, what: 'silence' });
  await t.throwsAsync(objects.read('x'), { message: /is away: no answer within 0.05 s/ });
});

test('only NoSuchKey for an object says that it is not there: another 404, or a page of a proxy, is an error', async (t) => {
  const { server, objects } = await aBucket(t);
  await objects.put('x', CONTENT);
  const page = '<!doctype html><title>404 Not Found</title>';
  const refusing = async (
    fault: { status: number; page: string } | { status: number; code: string },
  ) => {
    const file = path.join(await aFolder(t), 'file');
    for (const work of [
      () => objects.list(''),
      () => objects.check(),
      () => objects.put('y', CONTENT),
      () => objects.read('x'),
      () => objects.get('x', file, EXPECTED),
      () => objects.remove('x'),
    ]) {
      server.fail({ on: () => true, times: 1, ...fault });
      const error = await t.throwsAsync(work(), { name: 'StorageRefusedError' });
      t.regex(error.message, /s3:\/\/lake\/a\/b refuses: .+ What helps: check S3_ENDPOINT.+proxy/);
    }
  };
  await refusing({ status: 404, page });
  await refusing({ status: 404, code: 'NotFound' });
  const noKey = { status: 404, code: 'NoSuchKey' };
  server.fail({ on: () => true, times: 1, ...noKey });
  await t.throwsAsync(objects.list(''), { name: 'StorageRefusedError' });
  server.fail({ on: () => true, times: 1, ...noKey });
  await t.throwsAsync(objects.put('y', CONTENT), { name: 'StorageRefusedError' });
  server.fail({ on: () => true, times: 1, status: 200, page });
  await t.throwsAsync(objects.list(''), { message: /no list of objects.+proxy/ });
  server.fail({ on: () => true, times: 9, status: 200, page: '<ListBucketResult><Contents>' });
  await t.throwsAsync(objects.list(''), { name: 'StorageAwayError', message: /was cut/ });
});

test('a server that is not there is away; one that refuses says once what helps', async (t) => {
  const { server, objects } = await aBucket(t);
  const asking = (options: Partial<S3Options>) =>
    s3Objects({
      bucket: 'lake',
      prefix: '',
      endpoint: server.url,
      region: 'r',
      ...S3_KEY,
      ...options,
    });
  const wrong = asking({ secretAccessKey: 'other' });
  const refused = { name: 'StorageRefusedError', message: /What helps: check AWS_ACCESS_KEY_ID/ };
  await t.throwsAsync(wrong.put('x', CONTENT), refused);
  const none = { message: /s3:\/\/gone refuses: NoSuchBucket.*create the bucket/ };
  await t.throwsAsync(asking({ bucket: 'gone' }).check(), none);
  await t.throwsAsync(asking({ bucket: 'gone' }).list('pointers/'), none);
  await t.throwsAsync(asking({ bucket: 'gone' }).read('x'), none);
  server.fail({ on: () => true, times: 1, status: 403, code: 'RequestTimeTooSkewed' });
  await t.throwsAsync(objects.check(), { message: /What helps: set the clock/ });
  server.fail({ on: () => true, times: 1, status: 301, code: 'PermanentRedirect' });
  await t.throwsAsync(objects.check(), { message: /What helps: check S3_ENDPOINT/ });
  t.is(server.requests.length, 6);
  const nobody = asking({ endpoint: 'http://127.0.0.1:1', retryMs: 1 });
  await t.throwsAsync(nobody.check(), {
    name: 'StorageAwayError',
    message: /ECONNREFUSED|bad port/,
  });
});
