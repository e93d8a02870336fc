import { isIP } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { fakeUpstream } from '../../bench/stage/fake-upstream.ts';
import { SourceOutageError, SourceRefusedError } from '../../pipelines/errors.ts';
import type { Lookup } from '../../pipelines/host-lookup.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';

/** Starts a server that redirects `/old` to the result of `to`, and requests it under the name `bts.example`. */
async function aSource(
  t: ExecutionContext,
  to: (port: string) => string,
  addresses: Record<string, string> = {},
) {
  const upstream = await fakeUpstream(t, ({ pathname }) =>
    pathname === '/old'
      ? { status: 302, headers: { location: to(port) }, body: '' }
      : { body: `this is ${pathname}` },
  );
  const { port } = new URL(upstream.url);
  const hosts: Record<string, string> = { 'bts.example': '127.0.0.1', ...addresses };
  const find: Lookup = (host, _options, done) => {
    const address = hosts[host] ?? '';
    queueMicrotask(() => done(null, [{ address, family: isIP(address) }]));
  };
  const get = createHttpGet({ pauseMs: 0, connectMs: 5_000 }, find);
  const send = () => get({ url: `http://bts.example:${port}/old`, method: 'GET', headers: {} });
  return { upstream, send };
}

test('a source may be in our own network, and may redirect within its origin', async (t) => {
  const { send } = await aSource(t, () => '/new');
  const { status, body } = await send();
  t.is(status, 200);
  t.is(Buffer.concat(await Array.fromAsync(body)).toString(), 'this is /new');
});

for (const [what, to, addresses] of [
  ['loopback', (port) => `http://127.0.0.1:${port}/new`, {}],
  ['the metadata address', () => 'http://169.254.169.254/latest/meta-data/', {}],
  ['a name in our network', (port) => `http://in.example:${port}/`, { 'in.example': '127.0.0.1' }],
  ['another port of the source', () => 'http://bts.example:6379/', {}],
] as [string, (port: string) => string, Record<string, string>][]) {
  test(`a redirect of a source to ${what} is refused`, async (t) => {
    const { upstream, send } = await aSource(t, to, addresses);
    await t.throwsAsync(send(), {
      instanceOf: SourceRefusedError,
      message: /\/old: leads to [\d.]+, which is not on the internet$/,
    });
    t.deepEqual(upstream.requests, ['/old']);
  });
}

test('a redirect of a source to the internet is followed', async (t) => {
  // Nothing answers there: the address is reserved for examples.
  const { send } = await aSource(t, () => 'http://public.example/', {
    'public.example': '2001:db8::1',
  });
  await t.throwsAsync(send(), { instanceOf: SourceOutageError });
});
