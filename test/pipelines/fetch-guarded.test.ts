import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { SourceOutageError, SourceRefusedError } from '../../pipelines/errors.ts';
import { createGuardedFetch, statusError } from '../../pipelines/fetch-guarded.ts';
import type { Lookup } from '../../pipelines/host-lookup.ts';
import { fakeUpstream, type Fault } from '../../bench/stage/fake-upstream.ts';

const LIMITS = { deadlineMs: 20_000, maxBytes: 2_000_000 };
const SHORT_DEADLINE = { ...LIMITS, deadlineMs: 300 };
const NOW = new Date('2026-11-21T12:00:00Z');

async function fetchWithFault(t: ExecutionContext, fault: Fault, limits = LIMITS) {
  const upstream = await fakeUpstream(t, () => ({ body: '{}' }));
  const url = `${upstream.faultUrl(fault)}/feed?apikey=secret`;
  return { upstream, url, answer: createGuardedFetch(limits)({ url }) };
}

test('a response has its complete, decompressed body, status and headers', async (t) => {
  const text = 'Wind 40 km/h, Böen 70 km/h';
  const packers = new Map([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ]);
  const upstream = await fakeUpstream(t, ({ pathname }) => {
    const pack = packers.get(pathname.slice(1));
    const encoding = pack ? { 'content-encoding': pathname.slice(1) } : {};
    return {
      status: 203,
      headers: { etag: '"v1"', ...encoding },
      body: pack ? pack(Buffer.from(text)) : text,
    };
  });
  for (const encoding of ['gzip', 'deflate', 'br', 'plain']) {
    const answer = await createGuardedFetch(LIMITS)({ url: `${upstream.url}/${encoding}` });
    t.is(answer.body.toString(), text, encoding);
    t.is(answer.status, 203);
    t.is(answer.headers.get('etag'), '"v1"');
  }
});

test('request headers are sent, and status 304 is returned like any other status', async (t) => {
  const upstream = await fakeUpstream(t, (_, { headers }) =>
    headers['if-none-match'] === '"v1"' ? { status: 304, body: '' } : { body: 'new' },
  );
  const fetch = createGuardedFetch(LIMITS);
  const answer = await fetch({ url: upstream.url, headers: { 'if-none-match': '"v1"' } });
  t.is(answer.status, 304);
  t.is(answer.body.length, 0);
});

for (const [fault, message] of [
  ['refused', /ECONNREFUSED/],
  ['unknown-host', /ENOTFOUND|EAI_AGAIN/],
  ['never-answers', /not done within 0\.3 s$/],
  ['trickle', /not done within 0\.3 s$/],
  ['cut-connection', /aborted/],
] as const) {
  test(`${fault} is an outage, and its message does not contain the query`, async (t) => {
    const limits = fault === 'never-answers' || fault === 'trickle' ? SHORT_DEADLINE : LIMITS;
    const { answer } = await fetchWithFault(t, fault, limits);
    const error = await t.throwsAsync(answer, { instanceOf: SourceOutageError, message });
    t.notRegex(error?.message ?? '', /secret/);
  });
}

for (const [fault, message] of [
  ['huge-body', /is bigger than 2 MB$/],
  ['gzip-bomb', /is bigger than 2 MB$/],
  ['to-loopback', /leads to 127\.0\.0\.1, which is not on the internet$/],
  ['to-metadata', /leads to 169\.254\.169\.254, which is not on the internet$/],
  ['to-file', /leads to a file: address; only http\(s\) is supported$/],
  ['endless-redirects', /redirects more than 5 times$/],
] as const) {
  test(`${fault} is a final error`, async (t) => {
    const { answer } = await fetchWithFault(t, fault);
    const error = await t.throwsAsync(answer, { instanceOf: SourceRefusedError, message });
    t.notRegex(error?.message ?? '', /secret/);
  });
}

test('reading a body stops shortly after the size limit', async (t) => {
  const { answer, upstream } = await fetchWithFault(t, 'huge-body');
  await t.throwsAsync(answer);
  while (upstream.sentBytes() === 0) await sleep(10);
  // The buffers of both ends of the connection hold a few megabytes more.
  t.true(upstream.sentBytes() < 30_000_000, String(upstream.sentBytes()));
});

test('at most five redirects are followed', async (t) => {
  const { answer, upstream } = await fetchWithFault(t, 'endless-redirects');
  await t.throwsAsync(answer);
  t.is(upstream.requests.length, 6);
});

for (const host of [
  ...['localhost', '0x7f000001', '2130706433', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:a9fe:a9fe]', '[fd00::1]', '[fe80::1]', '[64:ff9b::7f00:1]', '10.0.0.1'],
  ...['172.31.255.255', '192.168.1.1', '100.64.0.1', '[::]', '240.0.0.1', '[2002:7f00:1::]'],
]) {
  test(`a redirect to ${host} is refused`, async (t) => {
    const upstream = await fakeUpstream(t, () => ({
      status: 307,
      headers: { location: `http://${host}:1/` },
      body: '',
    }));
    await t.throwsAsync(createGuardedFetch(LIMITS)({ url: upstream.url }), {
      instanceOf: SourceRefusedError,
      message: /which is not on the internet$/,
    });
  });
}

test('a redirect within the requested origin is followed, even on loopback', async (t) => {
  const upstream = await fakeUpstream(t, ({ pathname }) =>
    pathname === '/old'
      ? { status: 301, headers: { location: '/new' }, body: '' }
      : { body: pathname },
  );
  const answer = await createGuardedFetch(LIMITS)({ url: `${upstream.url}/old` });
  t.is(answer.body.toString(), '/new');
});

/** Starts a server that redirects `/old`, and fakes host lookups. A host with several answers gets them in order. */
async function aNetwork(
  t: ExecutionContext,
  redirect: (port: string) => string,
  answers: Record<string, string[][]>,
) {
  const upstream = await fakeUpstream(t, ({ pathname }) =>
    pathname === '/old'
      ? { status: 302, headers: { location: redirect(port) }, body: '' }
      : { body: pathname },
  );
  const { port } = new URL(upstream.url);
  const lookups: string[] = [];
  const find: Lookup = (host, _options, done) => {
    lookups.push(host);
    const times = lookups.filter((one) => one === host).length;
    const addresses = answers[host]?.at(Math.min(times, answers[host].length) - 1) ?? [];
    queueMicrotask(() =>
      done(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
    );
  };
  const fetch = (limits = LIMITS) =>
    createGuardedFetch(limits, find)({ url: `http://feed.example:${port}/old` });
  return { upstream, lookups, fetch };
}

const LOOPBACK = [['127.0.0.1']];

test('the requested host may be in our own network, and is looked up once, including its redirects', async (t) => {
  const { lookups, fetch } = await aNetwork(t, () => '/new', {
    'feed.example': [['127.0.0.1'], ['10.0.0.1']],
  });
  t.is((await fetch()).body.toString(), '/new');
  t.deepEqual(lookups, ['feed.example']);
});

for (const [what, addresses] of [
  ['loopback', ['127.0.0.1']],
  ['a private address', ['10.0.0.8']],
  ['the metadata address', ['169.254.169.254']],
  ['loopback in IPv6', ['::1']],
  ['an internal address among others', ['192.0.2.1', '127.0.0.1']],
] as const) {
  test(`a redirect to a host with ${what} is refused`, async (t) => {
    const { upstream, fetch } = await aNetwork(t, (port) => `http://inside.example:${port}/`, {
      'feed.example': LOOPBACK,
      'inside.example': [[...addresses]],
    });
    await t.throwsAsync(fetch(), {
      instanceOf: SourceRefusedError,
      message: /which is not on the internet$/,
    });
    t.is(upstream.requests.length, 1);
  });
}

for (const address of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1']) {
  test(`a redirect to the public address ${address} is followed`, async (t) => {
    const { lookups, fetch } = await aNetwork(t, () => 'http://public.example/', {
      'feed.example': LOOPBACK,
      'public.example': [[address]],
    });
    // Nothing answers there: these addresses are reserved for examples.
    await t.throwsAsync(fetch({ ...LIMITS, deadlineMs: 5_000 }), {
      instanceOf: SourceOutageError,
    });
    t.deepEqual(lookups, ['feed.example', 'public.example']);
  });
}

test('a redirect to another port of the requested host leaves the origin and is refused', async (t) => {
  const { fetch } = await aNetwork(t, () => 'http://feed.example:6379/', {
    'feed.example': LOOPBACK,
  });
  await t.throwsAsync(fetch(), { instanceOf: SourceRefusedError });
});

test('a host that changes its address after the check is connected to at the checked address', async (t) => {
  // The second lookup would return the address of the test server, which answers.
  const { upstream, lookups, fetch } = await aNetwork(
    t,
    (port) => `http://rebind.example:${port}/`,
    {
      'feed.example': LOOPBACK,
      'rebind.example': [['192.0.2.1'], ['127.0.0.1']],
    },
  );
  await t.throwsAsync(fetch({ ...LIMITS, deadlineMs: 5_000 }), { instanceOf: SourceOutageError });
  t.deepEqual(lookups, ['feed.example', 'rebind.example']);
  t.is(upstream.requests.length, 1);
});

test('an address that is not http(s) is refused', async (t) => {
  for (const url of ['file:///etc/passwd', 'data:,x', 'nonsense']) {
    await t.throwsAsync(createGuardedFetch(LIMITS)({ url }), { instanceOf: SourceRefusedError });
  }
});

test('busy and broken servers are outages with their Retry-After; other statuses are final', (t) => {
  const errorFor = (status: number, headers: Record<string, string> = {}) =>
    statusError('https://a.example/?key=secret', { status, headers: new Headers(headers) }, NOW);
  for (const status of [408, 425, 429, 500, 503]) {
    t.true(errorFor(status) instanceof SourceOutageError);
  }
  for (const status of [204, 400, 403, 404]) t.true(errorFor(status) instanceof SourceRefusedError);
  const byDate = errorFor(429, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' });
  t.is((byDate as SourceOutageError).retryAfterMs, 60_000);
  t.is((errorFor(503) as SourceOutageError).retryAfterMs, undefined);
  t.is(errorFor(404).message, 'https://a.example/: the server answers 404');
});
