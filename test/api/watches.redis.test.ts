import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { createWatchRegistry } from '../../api/live/watch-registry.ts';
import { serveChallenges } from '../../jobs/wiring/watch-challenges.ts';
import { createGuardedPost } from '../../pipelines/watches/guarded-post.ts';
import { createKeyAdmin } from '../../warehouse/keyring/key-admin.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { aReceiver, echo, type Respond } from '../helpers/receiver.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { anApi, NOW } from './helpers/app.ts';

type Entry = { id: string; score: number; label: string; pending: number };

/** An API with a real keystore and registry; receivers on `hosts` are allowed although they are local. */
async function aWatchedApi(t: ExecutionContext, hosts: string[] = [], deadlineMs = 5_000) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const allowedHosts = new Set(hosts);
  const post = createGuardedPost({ deadlineMs, allowedHosts });
  const challenges = serveChallenges(server.url, {
    ...{ post, allowedHosts, now: () => NOW, log: pino({ level: 'silent' }) },
  });
  t.teardown(challenges.close);
  const watches = createWatchRegistry({ redis, now: () => NOW });
  const call = anApi({ keys, watches });
  const newKey = async () => {
    const owner = { name: 'Acme', email: 'dev@acme.example', monthlyLimit: 100 };
    return (await keys.create(owner, 'live', NOW)).apiKey;
  };
  const create = (apiKey: string, params: Record<string, string>) => {
    const flight = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };
    const query = new URLSearchParams({ ...flight, ...params, api_key: apiKey });
    return call(`/api/watches?${query}`, { method: 'POST' });
  };
  const used = async (apiKey: string) => (await keys.usage(apiKey, NOW)).monthCount;
  return { redis, keys, call, newKey, create, used };
}

test('a watch is stored once its address echoes a signed challenge, and costs one call', async (t) => {
  const receiver = await aReceiver(t);
  const { newKey, create, call, used } = await aWatchedApi(t, [receiver.host]);
  const apiKey = await newKey();
  const { status, body } = await create(apiKey, { url: receiver.url, points: '5', band: 'false' });
  t.is(status, 200);
  const { watch, secret } = body as { watch: Entry; secret: string };
  t.like(watch, { url: receiver.url, points: 5, band: false, score: 57, label: 'High' });
  const [challenge] = receiver.received;
  t.is(challenge?.message.type, 'watch.challenge');
  const id = challenge?.headers['webhook-id'] ?? '';
  const signature = new Webhook(secret).sign(id, NOW, challenge?.body ?? '');
  t.is(challenge?.headers['webhook-signature'], signature);
  t.is(await used(apiKey), 1);

  t.is((await create(apiKey, { url: receiver.url })).status, 200);
  t.is(receiver.received.length, 1, 'a proven address is not challenged again');
  const list = (await call(`/api/watches?api_key=${apiKey}`)).body as { watches: Entry[] };
  t.is(list.watches.length, 2);
  const found = await call(`/api/watches/${watch.id}?api_key=${apiKey}`);
  t.deepEqual(found.body, { watch, deliveries: [] });
  const removed = await call(`/api/watches/${watch.id}?api_key=${apiKey}`, { method: 'DELETE' });
  t.deepEqual(removed.body, { id: watch.id, deleted: true });
  t.is((await call(`/api/watches/${watch.id}?api_key=${apiKey}`)).status, 404);
  t.is(await used(apiKey), 2, 'lists and deletions are free');
});

test('keys of one account share watches, and other accounts neither see nor delete them', async (t) => {
  const receiver = await aReceiver(t);
  const { redis, newKey, create, call } = await aWatchedApi(t, [receiver.host]);
  const [apiKey, stranger] = [await newKey(), await newKey()];
  const { watch } = (await create(apiKey, { url: receiver.url })).body as { watch: Entry };
  const url = (key: string) => `/api/watches/${watch.id}?api_key=${key}`;
  const commands: string[] = [];
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    commands.push(command.name);
    return send(command, stream);
  };
  t.is((await call(url(stranger))).status, 404);
  t.is((await call(url(stranger), { method: 'DELETE' })).status, 404);
  t.true(commands.includes('hget'));
  t.false(commands.includes('smembers'), 'a search for one watch reads no other watch');
  t.deepEqual((await call(`/api/watches?api_key=${stranger}`)).body['watches'], []);
  const tomorrow = new Date(NOW.getTime() + 86_400_000);
  const next = await createKeyAdmin(redis).rotate(apiKey.slice(0, 14), tomorrow, NOW);
  t.true(next !== undefined && 'apiKey' in next);
  if (!next || !('apiKey' in next)) return;
  t.is((await call(url(next.apiKey))).status, 200);
  t.is((await call(url(next.apiKey), { method: 'DELETE' })).status, 200);
  t.deepEqual(
    (await redis.keys('hw:watch*')).filter((key) => !/:(challenge|tries):/.test(key)),
    [],
    'nothing is left of the last watch',
  );
});

test('a list in pages has each watch once, in the order of creation, although a watch of a former page is deleted', async (t) => {
  const receiver = await aReceiver(t);
  const { newKey, create, call } = await aWatchedApi(t, [receiver.host]);
  const apiKey = await newKey();
  for (let at = 0; at < 5; at += 1) await create(apiKey, { url: receiver.url });
  const list = async (query: string) => {
    const { body } = await call(`/api/watches?api_key=${apiKey}${query}`);
    return body as { watches: Entry[]; next_cursor: string | null; limit: number };
  };
  const all = await list('');
  const ids = all.watches.map(({ id }) => id);
  t.is(ids.length, 5);
  t.is(all.next_cursor, null);
  const first = await list('&limit=2');
  t.is(first.limit, 1_000, 'the limit of the account');
  await call(`/api/watches/${ids[1]}?api_key=${apiKey}`, { method: 'DELETE' });
  const second = await list(`&limit=2&cursor=${first.next_cursor}`);
  const third = await list(`&limit=2&cursor=${second.next_cursor}`);
  t.deepEqual(
    [first, second, third].map(({ watches }) => watches.map(({ id }) => id)),
    [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
  );
  t.is(third.next_cursor, null);
  for (const wrongPage of ['&limit=0', '&limit=1001', '&cursor=watch_1']) {
    const { status, body } = await call(`/api/watches?api_key=${apiKey}${wrongPage}`);
    t.is(status, 400, wrongPage);
    t.is(body['error'], 'invalid_parameter');
  }
});

const wrong: [title: string, respond: Respond, message: RegExp][] = [
  [
    'redirects to a private address',
    (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
    /answered 307 to the challenge/,
  ],
  ['answers 500', (_, response) => response.writeHead(500).end(), /answered 500/],
  [
    'echoes the whole message',
    ({ body }, response) => response.end(body),
    /did not answer with \{"challenge"/,
  ],
  [
    'sends an endless body',
    (_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(4_096)), 1);
      response.on('close', () => clearInterval(timer));
    },
    /did not answer with \{"challenge"/,
  ],
  ['closes the connection', (_, response) => response.destroy(), /is unreachable/],
  ['hangs', () => undefined, /did not answer within 0\.5 s/],
];

for (const [title, respond, message] of wrong) {
  test(`a receiver that ${title} gets no watch, and the call is free`, async (t) => {
    const receiver = await aReceiver(t, respond);
    const deadlineMs = title === 'hangs' ? 500 : 5_000;
    const { newKey, create, used } = await aWatchedApi(t, [receiver.host], deadlineMs);
    const apiKey = await newKey();
    const { status, body } = await create(apiKey, { url: receiver.url });
    t.like(body, { error: 'challenge_failed', param: 'url' });
    t.is(status, 400);
    t.regex(String(body['message']), message);
    t.is(await used(apiKey), 0);
  });
}

test('addresses without TLS, with a password, or in a private network are refused', async (t) => {
  const { newKey, create } = await aWatchedApi(t);
  const apiKey = await newKey();
  for (const [url, message] of [
    ['http://hooks.example/a', 'url must begin with https://.'],
    ['ftp://hooks.example/a', 'url must begin with https://.'],
    ['hooks.example', 'url is not an address.'],
    ['https://user:secret@hooks/a', 'url must not contain a key or an e-mail address.'],
    ['https://127.0.0.1:9/a', 'The address is not on the internet.'],
    ['https://[::ffff:10.0.0.1]/a', 'The address is not on the internet.'],
    ['https://169.254.169.254/latest', 'The address is not on the internet.'],
    ['https://localhost:9/a', 'The address is not on the internet.'],
  ] as const) {
    t.is((await create(apiKey, { url })).body['message'], message, url);
  }
});

test('an account can try at most 30 addresses an hour', async (t) => {
  const receiver = await aReceiver(t, (_, response) => response.writeHead(404).end());
  const { newKey, create } = await aWatchedApi(t, [receiver.host]);
  const [apiKey, other] = [await newKey(), await newKey()];
  for (let count = 0; count < 30; count += 1) {
    t.is((await create(apiKey, { url: `${receiver.url}/${count}` })).status, 400);
  }
  const { status, headers } = await create(apiKey, { url: receiver.url });
  t.is(status, 429);
  t.true(Number(headers['retry-after']) > 3_500);
  receiver.respond = echo;
  t.is((await create(other, { url: receiver.url })).status, 200);
});

test('pages of other sites and prefetches create and delete nothing', async (t) => {
  const receiver = await aReceiver(t);
  const { newKey, create, call } = await aWatchedApi(t, [receiver.host]);
  const apiKey = await newKey();
  const { watch } = (await create(apiKey, { url: receiver.url })).body as { watch: Entry };
  const headers = { 'sec-fetch-site': 'cross-site' };
  const url = `/api/watches/${watch.id}?api_key=${apiKey}`;
  t.is((await call(url, { method: 'DELETE', headers })).status, 403);
  t.is((await call(url)).status, 200);
});
