import test from 'ava';
import { readConfig } from '../../jobs/config.ts';

test('nothing needs to be set', (t) => {
  t.deepEqual(readConfig({}, '/srv/headwind'), {
    dataDir: '/srv/headwind/data',
    redisUrl: undefined,
    port: 8080,
    host: '127.0.0.1',
    logLevel: 'info',
  });
});

test('what is set is taken, and an empty variable counts as unset', (t) => {
  const env = { DATA_DIR: 'history', REDIS_URL: 'rediss://host:6380/1', PORT: '80', HOST: '' };
  t.deepEqual(readConfig(env, '/srv'), {
    dataDir: '/srv/history',
    redisUrl: 'rediss://host:6380/1',
    port: 80,
    host: '127.0.0.1',
    logLevel: 'info',
  });
});

test('REDIS_URL may be the path of a unix socket', (t) => {
  t.is(readConfig({ REDIS_URL: '/run/redis.sock' }).redisUrl, '/run/redis.sock');
});

test('the settings cannot be changed', (t) => {
  t.true(Object.isFrozen(readConfig({})));
});

test('all problems come in one error', (t) => {
  const env = { PORT: 'http', HOST: 'a b', LOG_LEVEL: 'loud', REDIS_URL: 'localhost:6379' };
  t.throws(() => readConfig(env), {
    name: 'CommandError',
    message:
      'Bad settings: REDIS_URL is not a redis:// or rediss:// address or an absolute path; ' +
      'PORT "http" is not a port (1 to 65535); HOST "a b" is not a host name or address; ' +
      'LOG_LEVEL "loud" is not one of fatal, error, warn, info, debug, trace, silent',
  });
});

test('a port lies between 1 and 65535', (t) => {
  t.is(readConfig({ PORT: '1' }).port, 1);
  t.is(readConfig({ PORT: '65535' }).port, 65_535);
  t.throws(() => readConfig({ PORT: '0' }));
  t.throws(() => readConfig({ PORT: '65536' }));
  t.throws(() => readConfig({ PORT: '8080.5' }));
});

test('a password in REDIS_URL is not repeated in the error', (t) => {
  const error = t.throws(() => readConfig({ REDIS_URL: 'http://:secret@host' }));
  t.false(error.message.includes('secret'));
});
