/**
 * `make chaos PART=failover ROUNDS=20`: kills, freezes and cuts off the primary of a Redis with sentinels. Calls arrive
 * all the time, and a replica must take over.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { createKeystore, type Keystore } from '../../warehouse/keyring/keystore.ts';
import { startApi, type ApiProcess } from '../stage/api-process.ts';
import { canMakeHosts, makeNetwork } from '../stage/hosts.ts';
import { startSentinels, type Harm, type SentinelStage } from '../stage/sentinels.ts';
import { publishHistory } from '../trial-service.ts';
import {
  callJson,
  goodCount,
  inSeconds,
  longestGapMs,
  unexpectedCount,
  startCallers,
  type Answer,
} from './callers.ts';
import { countArgument } from './options.ts';

const APIS = 2;
const HOSTS = 3;
const BEFORE_MS = 1_000;
/** All calls must succeed for this time before the next harm. */
const AFTER_MS = 1_000;
const TIMEOUT_MS = 60_000;
/**
 * Duration of a cut. It is long enough for the sentinels to elect another primary, while the side that is cut off may
 * still answer.
 */
const CUT_MS = 8_000;
const GAP_MAX_MS = 5_000;
const UNLIMITED = 1_000_000_000;
const HARMS: readonly Harm[] = ['kill', 'freeze', 'cut'];

type Round = {
  /** Longest time without a good answer from an API that can reach the sentinels. */
  gapMs: number;
  good: number;
  /** Number of the month's calls that Redis has counted at the end of the round. */
  counted: number;
  /**
   * Number of good answers from the API that was cut off together with the old primary. This API answers until the old
   * primary learns that it was replaced.
   */
  behindCut: number;
  unexpected: number;
  keys: number;
  keysLost: number;
};

type World = { stage: SentinelStage; keys: Keystore; addresses: string[]; adminKey: string };

const program = new Command('chaos-failover')
  .description('measure the cost of a primary that is killed, frozen or cut off under load')
  .option('--rounds <count>', 'rounds of each harm', countArgument, 20)
  .option('--harms <names>', 'kill, freeze or cut, separated by commas', HARMS.join(','))
  .addOption(
    new Option(
      '--servers <count>',
      '2: one primary and one replica; 3: two replicas, of which the primary needs one to accept writes',
    )
      .choices(['2', '3'])
      .default('2'),
  );
const { rounds, harms, servers } = program
  .parse()
  .opts<{ rounds: number; harms: string; servers: '2' | '3' }>();

const network = canMakeHosts() ? makeNetwork(HOSTS) : undefined;
if (!network) console.error('cut is left out: separate hosts need root and the command ip');
const folder = await mkdtemp(path.join(tmpdir(), 'hw-failover-'));
const stage = await startSentinels({
  servers: servers === '3' ? 3 : 2,
  ...(network && { hosts: network.hosts }),
});
const redis = openRedisClient(stage.url);
redis.on('error', () => undefined);
const apis: ApiProcess[] = [];
try {
  process.exitCode = await chaos();
} finally {
  await Promise.all(apis.map(({ stop }) => stop()));
  redis.disconnect();
  await stage.stop();
  network?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function chaos(): Promise<number> {
  await publishHistory(folder, stage.url);
  for (let at = 0; at < APIS; at += 1) {
    const { front: HOST = '127.0.0.1', commandPrefix = [] } = network?.hosts[at] ?? {};
    const DATA_DIR = path.join(folder, `api-${at}`);
    const settings = { REDIS_URL: stage.url, DATA_DIR, HOST, LOG_LEVEL: 'error' };
    apis.push(await startApi(settings, { commandPrefix }));
  }
  await Promise.all(apis.map((api) => api.untilHealthy()));
  const keys = createKeystore(redis, { deadlineMs: 10_000, replicas: 1 });
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey: adminKey } = await keys.create(owner, 'test', new Date(), true);
  const world = { stage, keys, addresses: apis.map(({ address }) => address), adminKey };
  let areAllFulfilled = true;
  for (const harm of HARMS.filter((name) => harms.split(',').includes(name))) {
    if (harm === 'cut' && !network) continue;
    const all = await runRounds(harm, world);
    console.log(`${harm}: ${summary(all)}`);
    areAllFulfilled &&= all.every(isFulfilled);
  }
  return areAllFulfilled ? 0 : 1;
}

async function runRounds(harm: Harm, world: World): Promise<Round[]> {
  const line = progressLine(`failover, ${harm}`, process.stderr);
  const all: Round[] = [];
  for (let done = 1; done <= rounds; done += 1) {
    const round = await harmUnderLoad(harm, world);
    all.push(round);
    line.show({ done, total: rounds, what: `gap ${Math.round(round.gapMs)} ms` });
    if (!isFulfilled(round)) {
      line.note(`round ${done}: ${JSON.stringify(round)}\n${await world.stage.logs()}`);
    }
  }
  line.end();
  return all;
}

function summary(all: readonly Round[]): string {
  const gaps = all.map(({ gapMs }) => gapMs).toSorted((a, b) => a - b);
  const total = (count: (round: Round) => number) =>
    all.reduce((sum, round) => sum + count(round), 0);
  const behind = total(({ behindCut }) => behindCut);
  return [
    `${all.filter(isFulfilled).length} of ${all.length} rounds kept the promise`,
    `calls stopped for ${inSeconds(gaps[Math.floor(gaps.length / 2)] ?? 0)} s (median), ${inSeconds(gaps.at(-1) ?? 0)} s at most`,
    `${total(({ keysLost }) => keysLost)} of ${total(({ keys }) => keys)} acknowledged keys lost`,
    `${total(({ good, counted }) => Math.max(0, good - counted))} of ${total(({ good }) => good)} counts lost`,
    ...(behind > 0 ? [`${behind} calls answered behind the network cut`] : []),
  ].join('; ');
}

function isFulfilled({ gapMs, unexpected, keysLost }: Round): boolean {
  return gapMs < GAP_MAX_MS && unexpected === 0 && keysLost === 0;
}

async function harmUnderLoad(
  harm: Harm,
  { stage: { harmPrimary, repair }, keys, addresses, adminKey }: World,
): Promise<Round> {
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey } = await keys.create(owner, 'test', new Date());
  const callers = startCallers(addresses, apiKey);
  const keyMaker = makeKeys(addresses, adminKey);
  await sleep(BEFORE_MS);
  const harmedAt = performance.now();
  const hurt = await harmPrimary(harm);
  await (harm === 'cut' ? sleep(CUT_MS) : callers.untilSuccessful(AFTER_MS, TIMEOUT_MS));
  await repair();
  const repairedAt = performance.now();
  await callers.untilSuccessful(AFTER_MS, TIMEOUT_MS);
  const keptKeys = await keyMaker.stop();
  const answers = await callers.stop();
  const duringHarm = answers.filter(({ at }) => at > harmedAt && at < repairedAt);
  const isBehind = ({ target }: Answer) => harm === 'cut' && target === hurt;
  const at = new Date();
  const admissions = await Promise.all(keptKeys.map((key) => keys.admit(key, 0, at)));
  return {
    gapMs: longestGapMs(answers.filter((answer) => !isBehind(answer))),
    good: goodCount(answers),
    counted: (await keys.usage(apiKey, at)).monthCount,
    behindCut: goodCount(duringHarm.filter(isBehind)),
    unexpected: unexpectedCount(answers),
    keys: keptKeys.length,
    keysLost: admissions.filter(({ verdict }) => verdict === 'invalid').length,
  };
}

/** Creates keys through the APIs until stopped; `stop` returns the acknowledged keys. */
function makeKeys(addresses: string[], adminKey: string): { stop: () => Promise<string[]> } {
  const stopping = new AbortController();
  const apiKeys: string[] = [];
  const making = addresses.map(async (address) => {
    while (!stopping.signal.aborted) {
      const query = { api_key: adminKey, name: 'chaos', email: 'chaos@headwind.example' };
      const { status, body } = await callJson(address, '/api/keys/create', query);
      if (status === 200) apiKeys.push(String(body['api_key']));
      await sleep(20);
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(making);
      return apiKeys;
    },
  };
}
