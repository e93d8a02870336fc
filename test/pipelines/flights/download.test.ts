import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SourceOutageError, SourceRefusedError } from '../../../pipelines/errors.ts';
import { downloadPlace } from '../../../pipelines/flights/download-place.ts';
import { download } from '../../../pipelines/flights/download.ts';
import { createHttpGet, type HttpLimits } from '../../../pipelines/http-get.ts';
import { fakeBts } from '../../helpers/fake-bts.ts';
import { aFolder } from '../../helpers/flight-files.ts';

const NAME = '2025_3.zip';
const CONTENT = randomBytes(600_000);

async function aWorld(t: ExecutionContext, limits: Partial<HttpLimits> = {}) {
  const bts = await fakeBts(t);
  const folder = await aFolder(t);
  bts.put(NAME, CONTENT);
  const get = createHttpGet({ pauseMs: 0, ...limits });
  return {
    bts,
    folder,
    file: path.join(folder, NAME),
    fetchMonth: (options: { force?: boolean; maxBytes?: number; name?: string } = {}) => {
      const { force = false, name = NAME, ...rest } = options;
      const deps = { get, place: downloadPlace(folder, NAME), ...rest };
      return download({ url: `${bts.url}/${name}`, force }, deps, () => undefined);
    },
  };
}

test('a file is fetched completely and hashed', async (t) => {
  const { fetchMonth, file, folder, bts } = await aWorld(t);
  t.like(await fetchMonth(), {
    outcome: 'downloaded',
    file: {
      path: file,
      bytes: 600_000,
      etag: '"v1"',
      sha256: createHash('sha256').update(CONTENT).digest('hex'),
    },
  });
  t.true((await readFile(file)).equals(CONTENT));
  t.deepEqual(await readdir(folder), [NAME, `${NAME}.json`]);
  t.deepEqual(bts.requests, [`GET ${NAME} -> 200`]);
});

test('an interrupted download is resumed and gives the identical file', async (t) => {
  const { fetchMonth, file, folder, bts } = await aWorld(t);
  bts.failNext(NAME, 'cut', 'cut');
  await t.throwsAsync(fetchMonth(), { instanceOf: SourceOutageError });
  t.deepEqual(await readdir(folder), [`${NAME}.part`, `${NAME}.part.json`]);
  await t.throwsAsync(fetchMonth(), { instanceOf: SourceOutageError });
  t.is((await fetchMonth()).outcome, 'downloaded');
  t.true((await readFile(file)).equals(CONTENT));
  t.deepEqual(
    bts.requests.map((line) => line.replace(/bytes=\d+/, 'bytes=N')),
    [
      `GET ${NAME} -> 200`,
      `GET ${NAME} range: bytes=N- if-range: "v1" -> 206`,
      `GET ${NAME} range: bytes=N- if-range: "v1" -> 206`,
    ],
  );
  // The server sent 300,000 and 450,000 bytes before the cuts; the last bytes before a cut may be lost.
  const [, first = 0, second = 0] = bts.requests.map((line) =>
    Number(/bytes=(\d+)/.exec(line)?.[1]),
  );
  t.true(0 < first && first <= 300_000, `${first}`);
  t.true(first < second && second <= 450_000, `${second}`);
});

test('an interrupted download of a file that changed starts again', async (t) => {
  const { fetchMonth, file, bts } = await aWorld(t);
  bts.failNext(NAME, 'cut');
  await t.throwsAsync(fetchMonth());
  const changed = randomBytes(400_000);
  bts.put(NAME, changed);
  t.is((await fetchMonth()).outcome, 'downloaded');
  t.true((await readFile(file)).equals(changed));
});

test('a part that already has all bytes is fetched again', async (t) => {
  const { fetchMonth, file, folder, bts } = await aWorld(t);
  bts.failNext(NAME, 'cut');
  await t.throwsAsync(fetchMonth());
  await writeFile(path.join(folder, `${NAME}.part`), randomBytes(600_000));
  t.is((await fetchMonth()).outcome, 'downloaded');
  t.true((await readFile(file)).equals(CONTENT));
});

test('a finished download is not repeated until the file changes', async (t) => {
  const { fetchMonth, file, bts } = await aWorld(t);
  const first = await fetchMonth();
  const again = await fetchMonth();
  t.deepEqual(again, { ...first, outcome: 'unchanged' });
  bts.put(NAME, 'a correction');
  t.is((await fetchMonth()).outcome, 'downloaded');
  t.is(await readFile(file, 'utf8'), 'a correction');
  t.deepEqual(bts.requests, [
    `GET ${NAME} -> 200`,
    `GET ${NAME} if-none-match: "v1" -> 304`,
    `GET ${NAME} if-none-match: "v1" -> 200`,
  ]);
});

test('a finished download is repeated if the file is damaged, or by force', async (t) => {
  const { fetchMonth, file, bts } = await aWorld(t);
  await fetchMonth();
  await fetchMonth({ force: true });
  await writeFile(file, 'cut short');
  await fetchMonth();
  t.true((await readFile(file)).equals(CONTENT));
  t.deepEqual(bts.requests, [`GET ${NAME} -> 200`, `GET ${NAME} -> 200`, `GET ${NAME} -> 200`]);
});

test('an unpublished month is absent, whether the server answers 404 or a web page', async (t) => {
  const { fetchMonth, folder, bts } = await aWorld(t);
  const page = 'the server answers with a web page instead of a file';
  t.deepEqual(await fetchMonth({ name: '2025_4.zip' }), {
    outcome: 'absent',
    why: 'the server answers 404',
  });
  bts.failNext(NAME, 'page', 'disguised-page');
  t.deepEqual(await fetchMonth(), { outcome: 'absent', why: page });
  t.deepEqual(await fetchMonth(), { outcome: 'absent', why: page });
  t.deepEqual(await readdir(folder), []);
});

test('an outage has the delay of Retry-After', async (t) => {
  const { fetchMonth, bts } = await aWorld(t);
  bts.failNext(NAME, { status: 503, headers: { 'retry-after': '7' } }, { status: 429 });
  const busy = await t.throwsAsync<SourceOutageError>(fetchMonth(), {
    instanceOf: SourceOutageError,
    message: /the server answers 503$/,
  });
  t.is(busy?.retryAfterMs, 7_000);
  t.is((await t.throwsAsync<SourceOutageError>(fetchMonth()))?.retryAfterMs, undefined);
  t.is((await fetchMonth()).outcome, 'downloaded');
});

test('a request to a server that stalls or never answers ends at the deadline', async (t) => {
  const { fetchMonth: fetchMute, bts: mute } = await aWorld(t, { connectMs: 150 });
  mute.failNext(NAME, 'silence');
  await t.throwsAsync(fetchMute(), { message: /no answer within 0\.15 s$/ });
  const { fetchMonth: fetchStalled, bts: stalled } = await aWorld(t, { silenceMs: 150 });
  stalled.failNext(NAME, 'stall');
  await t.throwsAsync(fetchStalled(), { message: /no bytes within 0\.15 s$/ });
  const { fetchMonth: fetchSlowly, bts: slow } = await aWorld(t, { totalMs: 150 });
  slow.failNext(NAME, 'stall');
  await t.throwsAsync(fetchSlowly(), { message: /not done within 0\.15 s$/ });
});

test('an unreachable server is an outage', async (t) => {
  const get = createHttpGet({ pauseMs: 0 });
  const place = downloadPlace(await aFolder(t), NAME);
  const request = { url: `http://127.0.0.1:1/${NAME}` };
  await t.throwsAsync(
    download(request, { get, place }, () => undefined),
    { instanceOf: SourceOutageError, message: /ECONNREFUSED|bad port/ },
  );
});

test('a file too big for a month is refused and deleted', async (t) => {
  const { fetchMonth, folder } = await aWorld(t);
  await t.throwsAsync(fetchMonth({ maxBytes: 500_000 }), {
    instanceOf: SourceRefusedError,
    message: /is bigger than 0\.5 MB, too big for a month of flights$/,
  });
  t.deepEqual(await readdir(folder), []);
});

test('redirects are followed, but at most five and only to http(s)', async (t) => {
  const { fetchMonth, file, bts } = await aWorld(t);
  const to = (location: string) => ({ status: 302, headers: { location } });
  bts.failNext(NAME, to(`${bts.url}/${NAME}`));
  t.is((await fetchMonth()).outcome, 'downloaded');
  t.true((await readFile(file)).equals(CONTENT));
  bts.failNext(NAME, to('file:///etc/hosts'));
  await t.throwsAsync(fetchMonth(), {
    instanceOf: SourceRefusedError,
    message: /leads to a file: address; only http\(s\) is supported$/,
  });
  bts.failNext(NAME, ...Array.from({ length: 9 }, () => to(`${bts.url}/${NAME}`)));
  await t.throwsAsync(fetchMonth(), { message: /redirects more than 5 times$/ });
});

test('any other status is a final error', async (t) => {
  const { fetchMonth, bts } = await aWorld(t);
  bts.failNext(NAME, { status: 403 });
  await t.throwsAsync(fetchMonth(), {
    instanceOf: SourceRefusedError,
    message: /the server answers 403$/,
  });
});

test('requests to one host are spaced by the pause', async (t) => {
  const { fetchMonth } = await aWorld(t, { pauseMs: 200 });
  const startedAt = performance.now();
  await fetchMonth();
  await fetchMonth();
  t.true(performance.now() - startedAt >= 190);
});
