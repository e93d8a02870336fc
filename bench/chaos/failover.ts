/** `make chaos PART=failover ROUNDS=20`: the primary of a Redis behind sentinels is killed under load, which its replica takes over. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { createKeystore, type Keystore } from '../../warehouse/keyring/keystore.ts';
import { startApi, type ApiProcess } from '../stage/api-process.ts';
import { startSentinels, type SentinelStage } from '../stage/sentinels.ts';
import { countArgument } from '../count-argument.ts';
import { publishHistory } from '../trial-service.ts';

const APIS = 2;
const CALLERS = 4;
/** Some hundred calls a second, so that the machine has time for the failover too. */
const PAUSE_MS = 5;
const BEFORE_MS = 1_000;
/** Calls must have gone on for so long. */
const AFTER_MS = 1_000;
const GIVE_UP_MS = 60_000;
const GAP_MAX_MS = 5_000;
const UNLIMITED = 1_000_000_000;

type Round = {
  /** From the last good answer before the kill took effect to the first one after. */
  gapMs: number;
  good: number;
  /** Calls of the month that Redis has in the end. */
  counted: number;
  /** Statuses other than 200 and 503. */
  odd: number;
  keys: number;
  keysLost: number;
};

const program = new Command('chaos-failover')
  .description('see what a primary that is killed under load costs')
  .option('--rounds <count>', 'how many times', countArgument, 20);
const { rounds } = program.parse().opts<{ rounds: number }>();

const folder = await mkdtemp(path.join(tmpdir(), 'hw-failover-'));
const stage = await startSentinels();
const redis = openRedisClient(stage.url);
redis.on('error', () => undefined);
const apis: ApiProcess[] = [];
try {
  process.exitCode = await chaos();
} finally {
  await Promise.all(apis.map(({ stop }) => stop()));
  redis.disconnect();
  await stage.stop();
  await rm(folder, { recursive: true, force: true });
}

async function chaos(): Promise<number> {
  await publishHistory(folder, stage.url);
  for (let at = 0; at < APIS; at += 1) {
    const dataDir = path.join(folder, `api-${at}`);
    apis.push(await startApi({ REDIS_URL: stage.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
  }
  await Promise.all(apis.map((api) => api.untilHealthy()));
  const keys = createKeystore(redis, { deadlineMs: 10_000, replicas: 1 });
  const line = progressLine('failover', process.stderr);
  const all: Round[] = [];
  for (let done = 1; done <= rounds; done += 1) {
    const round = await killUnderLoad(stage, keys);
    all.push(round);
    line.show({ done, total: rounds, what: `gap ${Math.round(round.gapMs)} ms` });
    if (!isHeld(round)) line.note(`round ${done}: ${JSON.stringify(round)}`);
    await stage.restart();
  }
  line.end();
  const gaps = all.map(({ gapMs }) => gapMs).toSorted((a, b) => a - b);
  const seconds = (ms: number | undefined) => ((ms ?? 0) / 1_000).toFixed(1);
  const total = (of: (round: Round) => number) => all.reduce((sum, round) => sum + of(round), 0);
  console.log(
    `gap ${seconds(gaps[Math.floor(gaps.length / 2)])} s in the middle, ${seconds(gaps.at(-1))} s at most; ` +
      `${total(({ keysLost }) => keysLost)} of ${total(({ keys: made }) => made)} acknowledged keys lost; ` +
      `${total(({ good, counted }) => Math.max(0, good - counted))} of ${total(({ good }) => good)} counts lost`,
  );
  return all.every(isHeld) ? 0 : 1;
}

function isHeld({ gapMs, odd, keysLost }: Round): boolean {
  return gapMs < GAP_MAX_MS && odd === 0 && keysLost === 0;
}

async function killUnderLoad({ killPrimary }: SentinelStage, keys: Keystore): Promise<Round> {
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey } = await keys.create(owner, 'test', new Date());
  const loaded = new AbortController();
  const answers: { at: number; status: number }[] = [];
  const made: string[] = [];
  const calling = Array.from({ length: CALLERS }, async (_, n) => {
    while (!loaded.signal.aborted) {
      const status = await call(apis[n % APIS], apiKey);
      answers.push({ at: performance.now(), status });
      await sleep(PAUSE_MS);
    }
  });
  const making = (async () => {
    while (!loaded.signal.aborted) {
      const key = await keys.create(owner, 'test', new Date()).catch(() => undefined);
      if (key) made.push(key.apiKey);
      await sleep(5);
    }
  })();
  await sleep(BEFORE_MS);
  const killedAt = performance.now();
  await killPrimary();
  const isOver = () => {
    const last =
      answers.findLast(({ at, status }) => at > killedAt && status !== 200)?.at ?? Infinity;
    return performance.now() - last > AFTER_MS || performance.now() - killedAt > GIVE_UP_MS;
  };
  while (!isOver()) await sleep(50);
  loaded.abort();
  await Promise.all([...calling, making]);
  const good = answers.filter(({ status }) => status === 200).map(({ at }) => at);
  const gaps = good.map((at, index) => at - (good[index - 1] ?? at));
  const at = new Date();
  const standing = await Promise.all(made.map((key) => keys.admit(key, 0, at)));
  return {
    gapMs: Math.max(...gaps),
    good: good.length,
    counted: (await keys.usage(apiKey, at)).monthCount,
    odd: answers.filter(({ status }) => status !== 200 && status !== 503).length,
    keys: made.length,
    keysLost: standing.filter(({ verdict }) => verdict === 'invalid').length,
  };
}

async function call(api: ApiProcess | undefined, apiKey: string): Promise<number> {
  const date = new Date().toISOString().slice(0, 10);
  const query = `origin=JFK&dest=LAX&airline=DL&date=${date}&api_key=${apiKey}`;
  try {
    const answer = await fetch(`http://127.0.0.1:${api?.port}/api/score?${query}`);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
