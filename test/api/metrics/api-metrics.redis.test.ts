import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { Redis } from 'ioredis';
import { KEYED_PATHS } from '../../../api/openapi/endpoints.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { checkMetrics, scrapeUntil, sumSamples } from '../../helpers/scrape.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { startServingApi } from '../helpers/clustered.ts';
import { until } from '../../jobs/helpers/command.ts';
import { aKey, aKeystore } from '../helpers/keystore.ts';
import { hasAllowedLabels } from '../../helpers/allowed-labels.ts';

const redis = await borrowRedis((stop) => test.after.always(stop));
/** Returns the metrics port from the log. Waits for its line, because processes write lines in batches. */
async function metricsPort(
  lines: Awaited<ReturnType<typeof startServingApi>>['lines'],
): Promise<number> {
  await until('the port is logged', () => lines('metrics served').length > 0);
  return lines('metrics served')[0]?.port ?? 0;
}

const REQUESTS = 'headwind_http_request_duration_seconds_count';

test.before(async () => {
  const connection = new Redis(redis.url);
  await saveToRedis(connection, await someStoreFiles());
  connection.disconnect();
});

test('every answer of every process is counted once, under the pattern of its route', async (t) => {
  const { keys } = await aKeystore(t, redis.url);
  const { apiKey } = await aKey(keys, 20, new Date());
  const { message, lines } = await startServingApi(t, redis.url, 2, { METRICS_PORT: '0' });
  const port = await metricsPort(lines);
  const get = async (path: string) => {
    const url = `http://127.0.0.1:${message.port}${path}`;
    const answer = await fetch(url, { headers: { connection: 'close' } });
    await answer.body?.cancel();
  };
  const airlines = `/api/airlines?origin=JFK&dest=LAX&api_key=${apiKey}`;
  for (let call = 0; call < 24; call++) await get(airlines);
  await get('/explorer/files/nothing.js');
  await get('/explorer/files/none.css');
  await get(`/${apiKey}/x`);
  const samples = await scrapeUntil(
    port,
    'all counted',
    (seen) => sumSamples(seen, REQUESTS) === 27,
  );
  const count = (endpoint: string, status: string) =>
    sumSamples(samples, REQUESTS, { endpoint, status });
  t.is(count('/api/airlines', '200'), 20);
  t.is(count('/api/airlines', '429'), 4);
  t.is(count('/explorer/files/:name', '404'), 2);
  t.is(count('none', '404'), 1);
  // Each series of 503 starts at 0, so that a rate shows even the first 503.
  const zeros = samples.filter(
    ({ name, labels, value }) => name === REQUESTS && labels['status'] === '503' && value === 0,
  );
  t.deepEqual(new Set(zeros.map(({ labels }) => labels['endpoint'])), new Set(KEYED_PATHS));
  t.is(zeros.length, 2 * KEYED_PATHS.length);
  t.is(sumSamples(samples, 'headwind_quota_refusals_total'), 4);
  t.is(sumSamples(samples, 'headwind_redis_round_trip_duration_seconds_count'), 24);
  t.is(sumSamples(samples, 'headwind_store_up'), 2);
  t.is(await checkMetrics(port), '');
  t.deepEqual(new Set(samples.map(({ labels }) => labels['worker'])), new Set(['1', '2']));
  t.deepEqual(
    samples.filter((sample) => !hasAllowedLabels(sample)),
    [],
  );
});

test('on loopback the port refuses foreign host names and proxies, and serves only metrics', async (t) => {
  const { lines } = await startServingApi(t, redis.url, 1, { METRICS_PORT: '0' });
  const port = await metricsPort(lines);
  const statusOf = async (head: string) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${head}\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).slice(9, 12);
  };
  t.is(await statusOf(`/metrics HTTP/1.1\r\nHost: localhost:${port}`), '200');
  t.is(await statusOf('/ HTTP/1.1\r\nHost: 127.0.0.1'), '404');
  t.is(await statusOf('/metrics HTTP/1.1\r\nHost: attacker.example'), '403');
  t.is(await statusOf('/metrics HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1'), '403');
});
