import test from 'ava';
import { pino } from 'pino';
import { fakeKeys } from './helpers/app.ts';
import { somePages } from './helpers/ops.ts';

/** Headers of a request that a proxy on this machine forwards. */
const PROXIED = { 'X-Forwarded-For': '192.0.2.7', Host: 'headwind.example' };

test('neither the address nor a header of a caller grants access to the pages', async (t) => {
  const { call, forgetCookie, entries } = await somePages(t);
  forgetCookie();
  // A proxy on this machine forwards all requests like this: from loopback, in HTTP/1.1.
  const callers: Record<string, string>[] = [
    { Host: '127.0.0.1:8080' },
    { Host: 'localhost' },
    { Host: '127.0.0.1:8080', 'X-Envoy-External-Address': '192.0.2.7' },
    { Host: '127.0.0.1:8080', 'X-Azure-ClientIP': '192.0.2.7' },
    { Host: '127.0.0.1:8080', 'Fly-Client-IP': '192.0.2.7' },
    { Host: 'headwind.example', 'X-Forwarded-For': '127.0.0.1' },
  ];
  for (const headers of callers) {
    const page = await call('/ops', { headers });
    t.deepEqual(
      [page.status, page.headers['location']],
      [303, '/ops/login'],
      JSON.stringify(headers),
    );
    const json = await call('/api/ops/runs', { headers });
    t.is(json.status, 401);
    t.like(JSON.parse(json.body), { error: 'forbidden' });
    t.is((await call('/ops/queues/api/queues', { headers })).status, 303);
    t.is((await call('/ops/actions', { headers, form: { kind: 'nightly' } })).status, 401);
  }
  t.true(entries.has('another'));
});

test('the address that make run prints logs in once, and opens the pages without a redirect', async (t) => {
  const { call, forgetCookie, sessions, token, requests } = await somePages(t);
  forgetCookie();
  sessions.clear();
  // A link on another site sends these headers.
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const entered = await call('/ops/login?token=another', { headers: link });
  t.is(entered.status, 200);
  t.like(entered.headers, { refresh: '0; url=/ops', 'cache-control': 'no-store' });
  t.regex(String(entered.headers['set-cookie']), /^hw_ops=[\w-]{43};.*samesite=strict; httponly/i);
  t.notRegex(JSON.stringify([...sessions]), /another/);
  t.is((await call('/ops')).status, 200);
  await call('/ops/actions', { form: { kind: 'nightly', token: await token() } });
  t.deepEqual(requests, [{ action: { kind: 'nightly' }, by: 'make run' }]);
  t.is((await call('/ops/login?token=another')).status, 200, 'a logged-in visitor stays logged in');

  await call('/ops/logout', { form: { token: await token() } });
  for (const query of ['token=another', 'token=wrong', 'token=', 'token=a&token=b']) {
    const refused = await call(`/ops/login?${query}`);
    t.is(refused.status, 403, query);
    t.regex(
      refused.body,
      /role="alert">[^<]*Restart make run to get a new address, or log in with an ad/,
    );
    t.regex(refused.body, /<form[^>]* action="\/ops\/login"/);
    t.notRegex(refused.body, /another|wrong/);
  }
  t.is((await call('/ops')).status, 303);
});

test('a prefetch does not use up the address', async (t) => {
  const { call, forgetCookie } = await somePages(t);
  forgetCookie();
  const path = '/ops/login?token=another';
  t.is((await call(path, { headers: { 'Sec-Purpose': 'prefetch;prerender' } })).status, 403);
  t.is((await call(path, { method: 'HEAD' })).status, 403);
  const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' };
  t.is((await call(path, { headers: image })).status, 403);
  t.is((await call(path)).status, 200);
});

test('no log line contains the token of an address', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const { call, forgetCookie } = await somePages(t, { log });
  forgetCookie();
  await call('/ops/login?token=NotTheRightOne1234567890');
  await call('/ops/login?token=another');
  t.is(lines.filter((line) => line.includes('"path":"/ops/login"')).length, 3);
  t.notRegex(lines.join(''), /another|NotTheRightOne/);
});

test('an admin key sent by POST starts a session; another key, or a key in the address, does not', async (t) => {
  const { call, sessions, token, requests, forgetCookie } = await somePages(t);
  forgetCookie();
  const login = await call('/ops/login', { headers: PROXIED, form: { key: 'hw_live_secret' } });
  t.deepEqual([login.status, login.headers['location']], [303, '/ops']);
  const [cookie = ''] = login.headers['set-cookie'] as string[];
  t.regex(cookie, /^hw_ops=[\w-]{43};.*samesite=strict; httponly/i);
  t.notRegex(cookie + JSON.stringify([...sessions]), /secret/);
  t.is((await call('/ops', { headers: PROXIED })).status, 200);
  await call('/ops/actions', {
    headers: PROXIED,
    form: { kind: 'nightly', token: await token(PROXIED) },
  });
  t.deepEqual(requests, [{ action: { kind: 'nightly' }, by: 'hw_live_admin1' }]);
  t.is((await call('/ops/login?key=hw_live_secret')).status, 400);
  const out = { headers: PROXIED, form: { token: await token(PROXIED) } };
  t.is((await call('/ops/logout', out)).headers['location'], '/ops/login');
  t.is((await call('/ops', { headers: PROXIED })).status, 303);

  const ordinary = await somePages(t, { keys: fakeKeys({ isAdmin: false }) });
  ordinary.forgetCookie();
  t.is((await ordinary.call('/ops/login', { form: { key: 'hw_live_x' } })).status, 403);
  t.is((await ordinary.call('/ops')).status, 303);
});

test('the cookie is Secure behind a proxy that terminates TLS', async (t) => {
  const { call } = await somePages(t);
  const headers = { ...PROXIED, 'X-Forwarded-Proto': 'https' };
  const { headers: received } = await call('/ops/login', { headers, form: { key: 'k' } });
  t.regex(String(received['set-cookie']), /; secure/i);
});

test('deactivating a key ends its sessions', async (t) => {
  let isOn = true;
  const { call, sessions, forgetCookie } = await somePages(t, { isAdmin: async () => isOn });
  forgetCookie();
  sessions.clear();
  await call('/ops/login', { headers: PROXIED, form: { key: 'k' } });
  t.is((await call('/ops', { headers: PROXIED })).status, 200);
  isOn = false;
  t.is((await call('/ops', { headers: PROXIED })).status, 303);
  t.is(sessions.size, 0);
});
