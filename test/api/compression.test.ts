import type { RequestListener } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import inject from 'light-my-request';
import test from 'ava';
import { createApp } from '../../api/app.ts';
import { scoreUrl, SOME_KEY, someDeps } from './helpers/app.ts';

const handle = createApp(someDeps()).callback();
const listener: RequestListener = (request, response) => void handle(request, response);
const request = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  inject(listener, { method: method as 'GET', url, headers });

const flights = Array.from({ length: 50 }, (_, day) => `JFK-LAX-AA-2026-04-${(day % 30) + 1}`)
  .map((flight) => flight.replace(/-(\d)$/, '-0$1'))
  .join(',');
const BATCH = `/api/score/batch?flights=${flights}&api_key=${SOME_KEY}`;

test('long answers are sent in the best coding the caller accepts, with the same content', async (t) => {
  const plain = await request(BATCH);
  t.true(plain.rawPayload.length > 50_000);
  t.is(plain.headers['content-encoding'], undefined);
  t.is(plain.headers['vary'], 'Accept-Encoding');
  const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [coding, decode] of Object.entries(decompress)) {
    const accepted = coding === 'br' ? 'gzip, deflate, br' : 'gzip;q=0.5, br;q=0';
    const { headers, rawPayload } = await request(BATCH, { 'accept-encoding': accepted });
    t.is(headers['content-encoding'], coding);
    t.is(headers['content-type'], plain.headers['content-type']);
    t.is(Number(headers['content-length']), rawPayload.length);
    t.true(rawPayload.length < plain.rawPayload.length / 10, coding);
    t.deepEqual(decode(rawPayload).toString(), plain.payload);
  }
});

test('short answers and refusals are not compressed', async (t) => {
  const calendar = `/api/calendar?origin=JFK&dest=LAX&airline=AA&month=2026-04&api_key=${SOME_KEY}`;
  for (const url of [scoreUrl(), calendar, scoreUrl({ origin: 'ZZZ' })]) {
    const { headers, payload } = await request(url, { 'accept-encoding': 'br' });
    t.is(headers['content-encoding'], undefined, url);
    t.is(typeof JSON.parse(payload), 'object');
  }
});

test('HEAD of a long answer has no body and the uncompressed length', async (t) => {
  const { headers, rawPayload } = await request(BATCH, { 'accept-encoding': 'br' }, 'HEAD');
  t.is(rawPayload.length, 0);
  t.is(headers['content-encoding'], undefined);
  t.is(Number(headers['content-length']), (await request(BATCH)).rawPayload.length);
});

const DOCUMENTS = ['/openapi.json'];

test('a caller with the current version of a public document gets 304, in any coding', async (t) => {
  for (const url of DOCUMENTS) {
    const first = await request(url, { 'accept-encoding': 'br' });
    t.is(first.statusCode, 200);
    t.regex(String(first.headers['etag']), /^W\/".{22}"$/);
    t.regex(String(first.headers['cache-control']), /^public, max-age=\d+$/);
    const again = await request(url, { 'if-none-match': String(first.headers['etag']) });
    t.is(again.statusCode, 304, url);
    t.is(again.payload, '');
    t.is((await request(url, { 'if-none-match': 'W/"other"' })).statusCode, 200);
  }
});

test('a public document is sent compressed', async (t) => {
  const url = '/openapi.json';
  const plain = await request(url);
  const compressed = await request(url, { 'accept-encoding': 'gzip' });
  t.true(gunzipSync(compressed.rawPayload).equals(plain.rawPayload));
  t.true(compressed.rawPayload.length < plain.rawPayload.length / 3);
});

test('pages of other sites may read only public documents', async (t) => {
  for (const url of DOCUMENTS) {
    t.is((await request(url)).headers['access-control-allow-origin'], '*', url);
    const { statusCode, headers, payload } = await request(
      url,
      { origin: 'https://a.example' },
      'OPTIONS',
    );
    t.is(statusCode, 204, url);
    t.is(payload, '');
    t.like(headers, {
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
    });
  }
  for (const url of [scoreUrl(), BATCH, '/api/health', '/nowhere']) {
    for (const method of ['GET', 'OPTIONS']) {
      const { statusCode, headers } = await request(url, { origin: 'https://a.example' }, method);
      t.is(headers['access-control-allow-origin'], undefined, url);
      if (method === 'OPTIONS') t.true([404, 405].includes(statusCode), url);
    }
  }
});
