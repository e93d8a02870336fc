import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
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

for (const [kind, open] of Object.entries(places)) {
  test(`${kind} returns stored objects, lists them by prefix in order, and removes them`, async (t) => {
    const objects = await open(t);
    const names = [
      'year=2025/month=03/é 1.txt',
      ...'abcdefg'.split('').map((c) => `year=2025/${c}`),
    ];
    for (const name of names) await objects.put(name, Buffer.from(name));
    await objects.put('years', CONTENT);
    const stored = await objects.list('year=');
    t.deepEqual(
      stored.map(({ name, bytes }) => [name, bytes]),
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

  test(`an object in ${kind} with wrong bytes is reported, and no file is written`, async (t) => {
    const objects = await open(t);
    await objects.put('x', CONTENT.subarray(1));
    const folder = await aFolder(t);
    const file = path.join(folder, 'file');
    await writeFile(file, 'before');
    await t.throwsAsync(objects.get('x', file, EXPECTED), { name: 'CorruptFileError' });
    await t.throwsAsync(objects.get('none', file, EXPECTED), { message: /none: missing/ });
    t.is(await readFile(file, 'utf8'), 'before');
    t.deepEqual(await readdir(folder), ['file']);
  });
}

test('a folder can be listed while other machines delete files and folders in it', async (t) => {
  const folder = await aFolder(t);
  const objects = folderObjects(folder);
  await objects.put('stays/a', CONTENT);
  for (let round = 1; round <= 5; round++) {
    const going = Array.from({ length: 100 }, (_, at) => `going/${at}`);
    await Promise.all(going.map((name) => objects.put(`${name}/file`, CONTENT)));
    const [stored] = await Promise.all([
      objects.list(''),
      ...going.map((name) => rm(path.join(folder, name), { recursive: true })),
    ]);
    t.true(stored.some(({ name }) => name === 'stays/a'));
  }
  t.deepEqual(
    (await objects.list('')).map(({ name }) => name),
    ['stays/a'],
  );
});

test('an unmounted folder is reported with a remedy', async (t) => {
  const folder = path.join(await aFolder(t), 'none');
  const objects = folderObjects(folder);
  await t.throwsAsync(objects.check(), { message: /does not exist.*mount it/ });
  await t.throwsAsync(objects.put('a/b', Buffer.from('c')), {
    message: /does not exist.*mount it/,
  });
  await t.throwsAsync(objects.list(''), { message: /does not exist.*mount it/ });
  await t.throwsAsync(objects.read('a'), { message: /does not exist.*mount it/ });
  t.false(existsSync(folder), 'the folder is not created');
  await mkdir(folder);
  await t.notThrowsAsync(folderObjects(folder).check());
});

test('temporary failures are retried: 503, 429, a closed connection, a truncated answer', async (t) => {
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
  const error = await t.throwsAsync(objects.read('x'), { name: 'StorageUnavailableError' });
  t.is(error.message, 's3://lake/a/b is unavailable: ServiceUnavailable, Refused');
  t.is(server.requests.length, 13);
});

test('a silent server is unavailable after the deadline', async (t) => {
  const { server, objects } = await aBucket(t, { deadlineMs: 50 });
  server.fail({ on: () => true, times: 99, what: 'silence' });
  await t.throwsAsync(objects.read('x'), { message: /is unavailable: no answer within 0.05 s/ });
});

test('only NoSuchKey means that an object does not exist; another 404 or a page of a proxy is an error', async (t) => {
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
      t.regex(
        error.message,
        /s3:\/\/lake\/a\/b refuses the request: .+ To fix it: check S3_ENDPOINT.+proxy/,
      );
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
  await t.throwsAsync(objects.list(''), { message: /not a list of objects.+proxy/ });
  server.fail({ on: () => true, times: 9, status: 200, page: '<ListBucketResult><Contents>' });
  await t.throwsAsync(objects.list(''), {
    name: 'StorageUnavailableError',
    message: /was truncated/,
  });
});

test('an unreachable server is unavailable; a refusal is not retried and names a remedy', async (t) => {
  const { server, objects } = await aBucket(t);
  const openBucket = (options: Partial<S3Options>) =>
    s3Objects({
      bucket: 'lake',
      prefix: '',
      endpoint: server.url,
      region: 'r',
      ...S3_KEY,
      ...options,
    });
  const wrong = openBucket({ secretAccessKey: 'other' });
  const refused = { name: 'StorageRefusedError', message: /To fix it: check AWS_ACCESS_KEY_ID/ };
  await t.throwsAsync(wrong.put('x', CONTENT), refused);
  const none = { message: /s3:\/\/gone refuses the request: NoSuchBucket.*create the bucket/ };
  await t.throwsAsync(openBucket({ bucket: 'gone' }).check(), none);
  await t.throwsAsync(openBucket({ bucket: 'gone' }).list('pointers/'), none);
  await t.throwsAsync(openBucket({ bucket: 'gone' }).read('x'), none);
  server.fail({ on: () => true, times: 1, status: 403, code: 'RequestTimeTooSkewed' });
  await t.throwsAsync(objects.check(), { message: /To fix it: set the clock/ });
  server.fail({ on: () => true, times: 1, status: 301, code: 'PermanentRedirect' });
  await t.throwsAsync(objects.check(), { message: /To fix it: check S3_ENDPOINT/ });
  t.is(server.requests.length, 6);
  const unreachable = openBucket({ endpoint: 'http://127.0.0.1:1', retryMs: 1 });
  await t.throwsAsync(unreachable.check(), {
    name: 'StorageUnavailableError',
    message: /ECONNREFUSED|bad port/,
  });
});
