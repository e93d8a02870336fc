import test from 'ava';
import { generateKey, hashKey } from '../../../warehouse/keyring/format.ts';
import { describeError, redact, redactPath } from '../../../api/redact.ts';
import { borrowRedis, startRedis } from '../../helpers/redis.ts';
import { anApi, captureLog, NOW, scoreUrl } from '../helpers/app.ts';
import { aKey, aKeystore } from '../helpers/keystore.ts';

const EMAIL = 'someone@example.com';

test('a request is logged in one line: path, status, key prefix and harmless parameters', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const { keys } = await aKeystore(t, server.url);
  const { apiKey, prefix } = await aKey(keys, 5, NOW);
  const { log, lines } = captureLog();
  await anApi({ keys, log })(scoreUrl({ api_key: apiKey }), {
    headers: { 'X-Request-Id': 'trace-0001' },
  });
  const [line, ...others] = lines();
  t.deepEqual(others, []);
  const { time, pid, hostname, ms, ...rest } = line!;
  t.is(typeof ms, 'number');
  t.truthy(time && pid && hostname);
  t.deepEqual(rest, {
    level: 30,
    id: 'trace-0001',
    method: 'GET',
    path: '/api/score',
    params: { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' },
    status: 200,
    key: prefix,
    msg: 'request',
  });
});

test('no key and no e-mail address is logged, wherever the caller puts it in the request', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys } = await aKeystore(t, server.url);
  const admin = await keys.create(
    { name: 'Ops', email: EMAIL, monthlyLimit: 9 },
    'live',
    NOW,
    true,
  );
  const key = admin.apiKey;
  const { log, lines, text } = captureLog();
  const call = anApi({ keys, log });
  const failing = anApi({
    keys,
    log,
    assess: () => {
      throw new Error(`cannot read ${key} of ${EMAIL}`);
    },
  });
  const created = await call(`/api/keys/create?name=Shop&email=${EMAIL}&api_key=${key}`);
  await call(`/api/keys/create?name=${EMAIL}&email=x&api_key=${key}`);
  await call(scoreUrl({ api_key: generateKey('live'), origin: key, dest: EMAIL, date: key }));
  await call(`/api/score/${key}/${EMAIL}`);
  await call(`/api/${key.replaceAll('_', '%5F')}`);
  await call(scoreUrl(), { headers: { 'X-Request-Id': key, 'X-Admin-Key': key, Referer: key } });
  await failing(scoreUrl({ api_key: key }));
  await server.kill();
  await call(scoreUrl({ api_key: key }));
  await call(`/api/keys/create?name=Shop&email=${EMAIL}&api_key=${key}`);

  t.is(lines().filter((line) => line['msg'] === 'request').length, 9);
  t.is(created.status, 200);
  for (const secret of [key, key.slice(14), hashKey(key), String(created.body['api_key']), EMAIL]) {
    t.false(text().includes(secret));
  }
  t.true(text().includes(admin.prefix));
});

test('a failure is logged with the request id, its message and its cause', async (t) => {
  const { log, lines } = captureLog();
  const assess = () => {
    throw new Error('broken', { cause: new TypeError('deeper') });
  };
  const { body } = await anApi({ log, assess })(scoreUrl());
  const failure = lines().find((line) => line['level'] === 50);
  t.like(failure, { msg: 'request failed', id: body['request_id'] });
  t.like(failure!['error'], {
    name: 'Error',
    message: 'broken',
    cause: { name: 'TypeError', message: 'deeper' },
  });
});

test('redaction keeps the prefix of a key and the path around it', (t) => {
  const key = generateKey('test');
  t.is(redact(`GET ${key}!`), `GET ${key.slice(0, 14)}…!`);
  t.is(redact('to me@example.com, you@example.org'), 'to (e-mail) (e-mail)');
  t.is(redactPath('/api/score'), '/api/score');
  t.is(redactPath('/a%E0%A4%A'), '(undecodable)');
  t.is(redactPath('/me%2540example.com'), '/(e-mail)');
  t.is(redactPath(`/me%${'25'.repeat(9)}40example.com`), '(undecodable)');
  t.deepEqual(describeError('plain'), { message: 'plain' });
});
