import { resolve } from 'node:path';
import test from 'ava';
import { readConfig } from '../../api/config.ts';
import { ConfigError } from '../../api/errors.ts';

const REDIS = { REDIS_URL: 'redis://127.0.0.1:6379' };

test('only REDIS_URL must be given, and the rest has defaults', (t) => {
  const config = readConfig(REDIS);
  t.deepEqual(config, {
    port: 8080,
    host: '127.0.0.1',
    workers: 1,
    redisUrl: 'redis://127.0.0.1:6379',
    dataDir: resolve('data'),
    logLevel: 'info',
    explains: false,
  });
  t.true(Object.isFrozen(config));
});

test('what is given is taken, and what the API does not know is ignored', (t) => {
  const env = {
    PORT: '0',
    HOST: '::1',
    API_WORKERS: '4',
    REDIS_URL: '/run/redis.sock',
    DATA_DIR: '/srv/data',
    LOG_LEVEL: 'warn',
    EXPLAIN_ENABLED: '1',
    PATH: '/bin',
  };
  t.deepEqual(readConfig(env), {
    port: 0,
    host: '::1',
    workers: 4,
    redisUrl: '/run/redis.sock',
    dataDir: '/srv/data',
    logLevel: 'warn',
    explains: true,
  });
});

test('all problems are told together', (t) => {
  const error = t.throws(
    () => readConfig({ PORT: 'http', HOST: 'a b', LOG_LEVEL: 'loud', EXPLAIN_ENABLED: 'yes' }),
    {
      instanceOf: ConfigError,
    },
  );
  t.is(
    error.message,
    'Bad settings: PORT "http" is not a port (0 to 65535); HOST must be one host name or address; ' +
      'REDIS_URL is missing; give redis://host:port or the absolute path of a unix socket; ' +
      'LOG_LEVEL "loud" is not one of trace, debug, info, warn, error, fatal, silent; EXPLAIN_ENABLED "yes" is neither 0 nor 1',
  );
});

test('an empty variable counts as unset', (t) => {
  t.is(readConfig({ ...REDIS, PORT: '', LOG_LEVEL: '' }).port, 8080);
  t.throws(() => readConfig({ REDIS_URL: '' }), { message: /REDIS_URL is missing/ });
});

test('a port is 0 to 65535 in digits', (t) => {
  t.is(readConfig({ ...REDIS, PORT: '65535' }).port, 65_535);
  for (const PORT of ['65536', '-1', '8080.5', '0x50', ' 80']) {
    t.throws(() => readConfig({ ...REDIS, PORT }), { message: /is not a port/ }, PORT);
  }
});

test('processes are 1 to 64', (t) => {
  t.is(readConfig({ ...REDIS, API_WORKERS: '64' }).workers, 64);
  for (const API_WORKERS of ['0', '65', '-1', '1.5', 'two', '100']) {
    t.throws(() => readConfig({ ...REDIS, API_WORKERS }), {
      message: /is not a number of processes/,
    });
  }
});

test('a bad REDIS_URL is not repeated: it may hold a password', (t) => {
  for (const REDIS_URL of [
    'http://u:secret@host',
    'secret',
    'redis://',
    `/${'secret'.repeat(20)}`,
  ]) {
    const error = t.throws(() => readConfig({ REDIS_URL }), { instanceOf: ConfigError });
    t.true(error.message.includes('REDIS_URL'), REDIS_URL);
    t.false(error.message.includes('secret'), REDIS_URL);
  }
});

test('a unix socket has at most 107 bytes', (t) => {
  const longest = `/${'s'.repeat(106)}`;
  t.is(readConfig({ REDIS_URL: longest }).redisUrl, longest);
  t.throws(() => readConfig({ REDIS_URL: `${longest}s` }));
});
