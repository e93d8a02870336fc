import { readFileSync } from 'node:fs';
import test from 'ava';
import { ENV_NAMES, readConfig } from '../../jobs/config.ts';
import { DEFAULT_RETENTION } from '../../warehouse/ground/retention.ts';
import { SEARCHED_PROVIDERS } from '../../pipelines/providers/index.ts';
import { DEFAULT_TIMES } from '../../jobs/queue/schedule-times.ts';

const PROVIDER_URLS = Object.fromEntries(
  SEARCHED_PROVIDERS.map(({ name, address }) => [name, address]),
);

test('every setting has a default', (t) => {
  t.deepEqual(readConfig({}, '/srv/headwind'), {
    dataDir: '/srv/headwind/data',
    inbox: undefined,
    userSqlDir: undefined,
    redisUrl: undefined,
    port: 8080,
    host: '127.0.0.1',
    socketOwnerPid: undefined,
    workers: 1,
    opsQueueWrites: false,
    mayLoseKeys: false,
    replicas: 0,
    metrics: undefined,
    workerMetrics: undefined,
    requestLinesPerS: 1_000,
    modelDeadlineMs: 200,
    isExplainEnabled: false,
    explorer: { trustedProxies: [] },
    logLevel: 'info',
    keepVersions: 3,
    retention: DEFAULT_RETENTION,
    backupTo: undefined,
    lake: undefined,
    keepDays: 90,
    keepRunDays: 400,
    keepLiveBytes: 5_000_000_000,
    minFreeBytes: 500_000_000,
    btsBaseUrl: 'https://transtats.bts.gov/PREZIP',
    btsTable: 'marketing',
    weatherForecastUrl: 'https://api.open-meteo.com/v1/forecast',
    weatherArchiveUrl: 'https://archive-api.open-meteo.com/v1/archive',
    weatherApiKey: undefined,
    newsFeeds: undefined,
    llm: undefined,
    nasStatusUrl: undefined,
    providerUrls: PROVIDER_URLS,
    schedule: DEFAULT_TIMES,
    notify: undefined,
    watchHosts: [],
    staleAfterDays: undefined,
    offline: false,
  });
});

test('jobs always leave 64 MB for Redis, even if MIN_FREE_MB is 0', (t) => {
  t.is(readConfig({ MIN_FREE_MB: '0' }).minFreeBytes, 64_000_000);
  t.is(readConfig({ MIN_FREE_MB: '65' }).minFreeBytes, 65_000_000);
});

test('settings replace defaults, and an empty variable counts as unset', (t) => {
  const env = { DATA_DIR: 'history', REDIS_URL: 'rediss://host:6380/1', PORT: '80', HOST: '' };
  t.deepEqual(readConfig(env, '/srv'), {
    dataDir: '/srv/history',
    inbox: undefined,
    userSqlDir: undefined,
    redisUrl: 'rediss://host:6380/1',
    port: 80,
    host: '127.0.0.1',
    socketOwnerPid: undefined,
    workers: 1,
    opsQueueWrites: false,
    mayLoseKeys: false,
    replicas: 0,
    metrics: undefined,
    workerMetrics: undefined,
    requestLinesPerS: 1_000,
    modelDeadlineMs: 200,
    isExplainEnabled: false,
    explorer: { trustedProxies: [] },
    logLevel: 'info',
    keepVersions: 3,
    retention: DEFAULT_RETENTION,
    backupTo: undefined,
    lake: undefined,
    keepDays: 90,
    keepRunDays: 400,
    keepLiveBytes: 5_000_000_000,
    minFreeBytes: 500_000_000,
    btsBaseUrl: 'https://transtats.bts.gov/PREZIP',
    btsTable: 'marketing',
    weatherForecastUrl: 'https://api.open-meteo.com/v1/forecast',
    weatherArchiveUrl: 'https://archive-api.open-meteo.com/v1/archive',
    weatherApiKey: undefined,
    newsFeeds: undefined,
    llm: undefined,
    nasStatusUrl: undefined,
    providerUrls: PROVIDER_URLS,
    schedule: DEFAULT_TIMES,
    notify: undefined,
    watchHosts: [],
    staleAfterDays: undefined,
    offline: false,
  });
});

test('DATA_DIR cannot be an address', (t) => {
  t.throws(() => readConfig({ DATA_DIR: 's3://bucket/headwind' }), {
    message:
      'Bad settings: DATA_DIR "s3://bucket/headwind" is an address, not a folder of this machine; set LAKE_URL for a lake elsewhere',
  });
});

test('an invalid time or time zone of a schedule is refused', (t) => {
  t.throws(() => readConfig({ SCHEDULE_NIGHTLY: '61 2 * * *', SCHEDULE_TZ: 'Mars/Base' }), {
    message:
      'Bad settings: SCHEDULE_NIGHTLY "61 2 * * *" is neither a cron expression nor off; SCHEDULE_TZ "Mars/Base" is not a time zone such as Europe/Berlin',
  });
});

test('REDIS_URL may be the path of a Unix socket', (t) => {
  t.is(readConfig({ REDIS_URL: '/run/redis.sock' }).redisUrl, '/run/redis.sock');
});

test('the settings cannot be changed', (t) => {
  t.true(Object.isFrozen(readConfig({})));
});

test('one error lists all problems', (t) => {
  const env = { PORT: 'http', HOST: 'a b', LOG_LEVEL: 'loud', REDIS_URL: 'localhost:6379' };
  t.throws(() => readConfig(env), {
    name: 'CommandError',
    message:
      'Bad settings: REDIS_URL is not a redis://, rediss:// or sentinel://host,host/name address or an absolute path of at most 107 bytes; ' +
      'PORT "http" is not a port (0 to 65535); HOST "a b" is not a host name or address; ' +
      'LOG_LEVEL "loud" is not one of fatal, error, warn, info, debug, trace, silent',
  });
});

test('a port is between 0, which means any free port, and 65535', (t) => {
  t.is(readConfig({ PORT: '0' }).port, 0);
  t.is(readConfig({ PORT: '65535' }).port, 65_535);
  for (const PORT of ['65536', '-1', '8080.5', '1e3', ' 80']) {
    t.throws(() => readConfig({ PORT }), { message: /is not a port/ }, PORT);
  }
});

test('the API has 1 to 64 processes, and EXPLAIN_ENABLED is 0 or 1', (t) => {
  t.is(readConfig({ API_WORKERS: '64' }).workers, 64);
  t.true(readConfig({ EXPLAIN_ENABLED: '1' }).isExplainEnabled);
  t.throws(() => readConfig({ EXPLAIN_ENABLED: 'yes' }), {
    message: 'Bad settings: EXPLAIN_ENABLED "yes" is neither 0 nor 1',
  });
  for (const API_WORKERS of ['0', '65', '-1', '2.5', 'all']) {
    t.throws(() => readConfig({ API_WORKERS }), { message: /is not a number of processes/ });
  }
});

test('an imported model has 1 to 9999 ms to answer', (t) => {
  t.is(readConfig({ MODEL_DEADLINE_MS: '1' }).modelDeadlineMs, 1);
  t.is(readConfig({ MODEL_DEADLINE_MS: '9999' }).modelDeadlineMs, 9_999);
  for (const MODEL_DEADLINE_MS of ['0', '10000', '-5', '1.5']) {
    t.throws(() => readConfig({ MODEL_DEADLINE_MS }), {
      message: /is not a number of milliseconds/,
    });
  }
});

test('the path of a Unix socket has at most 107 bytes', (t) => {
  const longest = `/${'s'.repeat(106)}`;
  t.is(readConfig({ REDIS_URL: longest }).redisUrl, longest);
  t.throws(() => readConfig({ REDIS_URL: `${longest}s` }));
});

test('the error for an invalid weather key does not contain the key', (t) => {
  t.is(readConfig({ WEATHER_API_KEY: 'k3y' }).weatherApiKey, 'k3y');
  const error = t.throws(() => readConfig({ WEATHER_API_KEY: 'my secret' }));
  t.false(error.message.includes('secret'));
});

test('the error for an invalid REDIS_URL does not contain its password', (t) => {
  for (const REDIS_URL of [
    'http://u:secret@host',
    'secret',
    'redis://',
    `/${'secret'.repeat(20)}`,
  ]) {
    const error = t.throws(() => readConfig({ REDIS_URL }));
    t.regex(error.message, /REDIS_URL/);
    t.false(error.message.includes('secret'), REDIS_URL);
  }
});

test('BTS_TABLE is one of two tables', (t) => {
  t.is(readConfig({ BTS_TABLE: 'reporting' }).btsTable, 'reporting');
  t.throws(() => readConfig({ BTS_TABLE: 'both' }), {
    message: 'Bad settings: BTS_TABLE "both" is not one of marketing, reporting',
  });
});

test('BTS_BASE_URL is an address without a password, and OFFLINE is 0 or 1', (t) => {
  t.is(readConfig({ BTS_BASE_URL: 'http://mirror:8000/bts' }).btsBaseUrl, 'http://mirror:8000/bts');
  t.true(readConfig({ OFFLINE: '1' }).offline);
  t.false(readConfig({ OFFLINE: '0' }).offline);
  const env = { BTS_BASE_URL: 'https://me:secret@mirror', OFFLINE: 'yes' };
  t.throws(() => readConfig(env), {
    message:
      'Bad settings: BTS_BASE_URL is not a plain http:// or https:// address; OFFLINE "yes" is neither 0 nor 1',
  });
  t.throws(() => readConfig({ BTS_BASE_URL: 'ftp://mirror' }));
});

test('every setting is in docs/operations.md or docs/api.md', (t) => {
  const read = (page: string) =>
    readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
  const docs = read('operations') + read('api');
  t.true(ENV_NAMES.length >= 7);
  for (const name of ENV_NAMES) t.true(docs.includes(`| \`${name}\` |`), name);
});

test('LLM_BASE_URL needs LLM_MODEL, and the error for an invalid key does not contain the key', (t) => {
  const env = { LLM_BASE_URL: 'http://127.0.0.1:9000/v1', LLM_MODEL: 'small', LLM_API_KEY: 'k3y' };
  t.deepEqual(readConfig(env).llm, {
    baseUrl: 'http://127.0.0.1:9000/v1',
    model: 'small',
    apiKey: 'k3y',
  });
  t.throws(() => readConfig({ LLM_BASE_URL: 'http://127.0.0.1:9000/v1' }), {
    message: 'Bad settings: LLM_MODEL is missing; LLM_BASE_URL needs the name of a model',
  });
  const error = t.throws(() => readConfig({ LLM_API_KEY: 'my secret' }));
  t.false(error.message.includes('secret'));
});

test('WATCH_HOSTS is a list of hosts in any case', (t) => {
  const { watchHosts } = readConfig({ WATCH_HOSTS: 'Hooks.internal:8080, 10.0.0.7' });
  t.deepEqual(watchHosts, ['hooks.internal:8080', '10.0.0.7']);
  for (const hosts of ['https://hooks.internal', 'a/b', 'user@host', 'a b']) {
    t.throws(() => readConfig({ WATCH_HOSTS: hosts }), { message: /WATCH_HOSTS/ }, hosts);
  }
});
