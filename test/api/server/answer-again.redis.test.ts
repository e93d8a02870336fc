import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { serve } from '../../../api/server/serve.ts';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { randomFrom, type Random } from '../../../bench/generate/random.ts';
import { BUNDLED_DIR } from '../../../pipelines/model/model-folder.ts';
import { addDays, dateAt } from '../../../warehouse/ground/dates.ts';
import { saveForecasts, type Forecast } from '../../../warehouse/live/forecasts.ts';
import { liveArchiveDir } from '../../../warehouse/live/live-archive.ts';
import { saveNasStatus } from '../../../warehouse/live/nas.ts';
import { NEWS_CHANNEL, NEWS_ITEMS_KEY, NEWS_ROUTES_KEY } from '../../../warehouse/live/news.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { withModel } from '../../../warehouse/store/model.ts';
import { saveStore } from '../../../warehouse/store/publish.ts';
import { aNewsItem } from '../../helpers/news-items.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { until } from '../../jobs/helpers/command.ts';
import { commandsHere } from '../../jobs/helpers/program-here.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';
import { aKey, aKeystore } from '../helpers/keystore.ts';

const STORES = [
  { delayed: 10, builtAt: '2026-11-01T02:30:00Z' },
  { delayed: 20, builtAt: '2026-11-02T02:30:00Z' },
  { delayed: 35, builtAt: '2026-11-03T02:30:00Z' },
];
const ANSWERS = 201;
const INCLUDES = ['lineage', 'outlook', 'interval', 'by_hour', 'blend', 'drivers', 'distribution'];

type SavedAnswer = { body: string; signature: string; version: string };

const dayAhead = (days: number) => addDays(dateAt(new Date()), days);

/** Saves live data that differ in each phase: events of today, and forecasts for 14 days. */
async function refreshLiveData(redis: Redis, phase: number): Promise<void> {
  const at = new Date();
  const forecast: Forecast = { fetchedAt: at.toISOString(), days: new Map() };
  for (let day = 0; day < 14; day++) {
    const wind = { windMaxKmh: 20 + 7 * phase, gustMaxKmh: 30 + 9 * day };
    const readings = { tempMeanC: 10 - phase, snowfallCm: phase, ...wind };
    forecast.days.set(addDays(dateAt(at), day - 1), readings);
  }
  await saveForecasts(
    redis,
    new Map([
      ['JFK', forecast],
      ['LAX', forecast],
    ]),
  );
  const publishedAt = new Date(at.getTime() - phase * 5_000_000).toISOString();
  const items = [
    aNewsItem({ publishedAt, severity: 0.5 + phase / 10, title: `Strike ${phase} – Kennedy` }),
    aNewsItem({
      id: 'b',
      url: 'https://wire.example/b',
      publishedAt,
      impact: 'low',
      severity: 0.2,
    }),
  ];
  await redis.set(NEWS_ITEMS_KEY, JSON.stringify(items));
  await redis.hset(NEWS_ROUTES_KEY, '', at.toISOString());
  await saveNasStatus(redis, {
    fetchedAt: at.toISOString(),
    programs: [
      { airport: 'LAX', kind: 'delay', severity: 0.3 + phase / 10, reason: `fog ${phase}` },
    ],
  });
  await redis.publish(NEWS_CHANNEL, '');
}

/** Returns a random call of one of the endpoints with scores. */
function randomRequest({ below }: Random): string {
  const pick = (texts: string[]) => texts[below(texts.length)] ?? '';
  const date = () => dayAhead(1 + below(60));
  const parts = INCLUDES.filter(() => below(3) === 0);
  const include = parts.length === 0 ? '' : `&include=${parts.join()}`;
  const airline = 'DL';
  const flight = `JFK-LAX-${airline}-${date()}`;
  const query = `origin=JFK&dest=LAX&airline=${airline}`;
  return pick([
    `/api/score?${query}&date=${date()}&news=${pick(['true', 'false'])}${include}`,
    `/api/score?${query}&date=${dateAt(new Date())}&dep_time=23:30&news=true${include}`,
    `/api/score?${query}&date=${date()}&payout=60:100,cancelled:400&inbound_delay=${below(90)}`,
    `/api/score/batch?flights=${flight}T17:30,${flight},JFK-XXX-DL-${date()}${include}`,
    `/api/calendar?${query}&month=${date().slice(0, 7)}`,
    `/api/alternatives?${query}&date=${date()}&dep_time=08:15`,
    '/api/airlines?origin=JFK&dest=LAX&include=record,former',
  ]);
}

/** An API with a key, on a Redis and a data folder. */
async function startSigningApi(t: ExecutionContext) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const dataDir = await tempDir(t);
  const api = await serve(
    {
      ...{ port: 0, host: '127.0.0.1', workers: 1, redisUrl: server.url, dataDir },
      ...{ logLevel: 'silent', requestLinesPerS: 0, isExplainEnabled: false },
    },
    pino({ level: 'silent' }),
  );
  t.teardown(api.close);
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 10_000_000, new Date());
  const call = async (request: string) => {
    const url = `http://127.0.0.1:${api.port}${request}&signed=true&api_key=${apiKey}`;
    const answer = await fetch(url);
    const body = await answer.text();
    t.true(answer.ok || answer.status === 503, `${request} ${body}`);
    const header = (name: string) => answer.headers.get(name) ?? '';
    return { body, signature: header('x-signature'), version: header('x-store-version') };
  };
  /** Publishes a store with the bundled model, and waits until the API answers from it. Returns its version. */
  const publish = async (options: (typeof STORES)[number]) => {
    const bytes = await readFile(join(BUNDLED_DIR, 'model.onnx'));
    const { contract } = MODEL_CONTRACT;
    const store = withModel(await someStoreFiles(options), { version: 'bundled', bytes, contract });
    const { version } = store.manifest;
    await saveStore(dataPaths(dataDir).storeDir, redis, store);
    const probe = `/api/score?origin=JFK&dest=LAX&airline=DL&date=${dayAhead(3)}`;
    await until('store', async () => (await call(probe)).version === version);
    return version;
  };
  return {
    redis,
    dataDir,
    call,
    publish,
    run: commandsHere({ DATA_DIR: dataDir, REDIS_URL: server.url }),
  };
}

type World = Awaited<ReturnType<typeof startSigningApi>>;

/** Returns random answers from three stores. The live data change after every 20 answers. */
async function collectAnswers({ redis, call, publish }: World): Promise<SavedAnswer[]> {
  const random = randomFrom('answers');
  const saved: SavedAnswer[] = [];
  for (const [phase, options] of STORES.entries()) {
    await publish(options);
    for (let count = 0; count < ANSWERS / STORES.length; count++) {
      if (count % 20 === 0) await refreshLiveData(redis, phase + count / 20);
      saved.push(await call(randomRequest(random)));
    }
  }
  return saved;
}

/** Runs the command `answer-again` with a saved answer. */
async function repeat({ dataDir, run }: World, { body, signature }: SavedAnswer) {
  const file = join(dataDir, 'answer.json');
  await writeFile(file, body);
  return run('answer-again', '--file', file, '--signature', signature);
}

test('200 random answers of three stores and changing live data are computed again byte for byte', async (t) => {
  const world = await startSigningApi(t);
  const saved = await collectAnswers(world);
  t.is(saved.length, ANSWERS);
  t.is(new Set(saved.map(({ version }) => version)).size, STORES.length);
  const bodies = new Set(saved.map(({ body }) => body));
  t.true(bodies.size > ANSWERS / 2, `only ${bodies.size} bodies differ`);
  for (const answer of saved) {
    const { code, out, err } = await repeat(world, answer);
    if (code !== 0) t.fail(`${answer.body}\n${out}${err}`);
  }
  const list = await world.run('stores');
  t.is(list.code, 0);
  for (const { version } of saved) t.true(list.out.includes(version));
  t.is((await world.run('verify')).code, 0);
});

test('a forged body, a lost store and damaged live data are named', async (t) => {
  const world = await startSigningApi(t);
  const { dataDir, run, redis, publish, call } = world;
  const version = await publish(STORES[0]!);
  await refreshLiveData(redis, 1);
  const request = `/api/score?origin=JFK&dest=LAX&airline=DL&date=${dayAhead(2)}&news=true`;
  await until('live data', async () => (await call(request)).body.includes('Strike 1'));
  const answer = await call(request);
  const { out } = await repeat(world, answer);
  t.regex(
    out,
    /^The signature is valid: [0-9a-f]{16}, .*\nStore .*\nComputed again: all \d+ bytes/,
  );
  const forged = await repeat(world, { ...answer, body: answer.body.replace('JFK', 'EWR') });
  t.regex(forged.err, /The signature does not match this body/);
  const file = join(dataDir, 'headers.txt');
  await writeFile(
    file,
    `HTTP/1.1 200 OK\r\nX-Signature: ${answer.signature}\r\n\r\n${answer.body}`,
  );
  t.is((await run('answer-again', '--file', file)).code, 0, 'as curl -i saves it');

  const { storeDir } = dataPaths(dataDir);
  const parts = join(liveArchiveDir(dataDir), 'parts');
  for (const name of await readdir(parts)) await writeFile(join(parts, name), 'damaged');
  const lost = await repeat(world, answer);
  t.regex(lost.err, /The (forecasts|news|measures of airports) of the live data .* are gone/);
  t.is((await run('verify')).code, 1);
  await rm(join(storeDir, version), { recursive: true });
  const gone = await repeat(world, answer);
  t.regex(gone.err, new RegExp(`The store ${version} is gone.*KEEP_DAILY`));
});

test('an answer that was not signed is computed again from its store, time and parameters', async (t) => {
  const dataDir = await tempDir(t);
  const store = await someStoreFiles(STORES[0]);
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  await saveStore(dataPaths(dataDir).storeDir, redis, store);
  const run = commandsHere({ DATA_DIR: dataDir, REDIS_URL: server.url });
  const named = ['answer-again', '--store', store.manifest.version, '--at', '2026-03-10T14:00:00Z'];
  const query = 'origin=JFK&dest=LAX&airline=DL&date=2026-03-20';
  const { code, out, err } = await run(...named, '--query', query);
  t.is(code, 0, err);
  t.like(JSON.parse(out), { input: { origin: 'JFK', destination: 'LAX', airline: 'DL' } });
  t.regex(err, /No live data are archived/);
  const refused = await run(...named, '--query', query.replace('2026-03-20', '2026-03-01'));
  t.regex(refused.err, /The call was refused: date must be from/);
  const unknown = await run(...named, '--query', '/api/news?origin=JFK&dest=LAX');
  t.regex(unknown.err, /Answers of \/api\/news cannot be computed again/);
});
