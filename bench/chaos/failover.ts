/**
 * `make chaos PART=failover ROUNDS=20`: the primary of a Redis behind sentinels is killed, frozen and cut off under load,
 * which its replica takes over.
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
  ask,
  goodCount,
  inSeconds,
  longestGapMs,
  oddCount,
  startCallers,
  type Answer,
} from './callers.ts';
import { countArgument } from './options.ts';

const APIS = 2;
const HOSTS = 3;
const BEFORE_MS = 1_000;
/** Calls must have gone on for so long. */
const AFTER_MS = 1_000;
const GIVE_UP_MS = 60_000;
/** A cut lasts so long: the sentinels have agreed by then, and the other side may still answer. */
const CUT_MS = 8_000;
const GAP_MAX_MS = 5_000;
const UNLIMITED = 1_000_000_000;
const HARMS: readonly Harm[] = ['kill', 'freeze', 'cut'];

type Round = {
  /** Longest silence of an API that can reach the sentinels. */
  gapMs: number;
  good: number;
  /** Calls of the month that Redis has in the end. */
  counted: number;
  /** Good answers of an API that was cut off with the old primary, until that gave up being one. */
  behindCut: number;
  odd: number;
  keys: number;
  keysLost: number;
};

type World = { stage: SentinelStage; keys: Keystore; addresses: string[]; adminKey: string };

const program = new Command('chaos-failover')
  .description('see what a primary costs that is killed, frozen or cut off under load')
  .option('--rounds <count>', 'how many times each', countArgument, 20)
  .option('--harms <names>', 'some of kill, freeze and cut, with commas', HARMS.join(','))
  .addOption(
    new Option(
      '--servers <count>',
      'one primary and one replica, or two that it must not lose both',
    )
      .choices(['2', '3'])
      .default('2'),
  );
const { rounds, harms, servers } = program
  .parse()
  .opts<{ rounds: number; harms: string; servers: '2' | '3' }>();

const network = canMakeHosts() ? makeNetwork(HOSTS) : undefined;
if (!network) console.error('no hosts of a network without root and ip: nothing is cut off');
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
    const { front: HOST = '127.0.0.1', through = [] } = network?.hosts[at] ?? {};
    const DATA_DIR = path.join(folder, `api-${at}`);
    const settings = { REDIS_URL: stage.url, DATA_DIR, HOST, LOG_LEVEL: 'error' };
    apis.push(await startApi(settings, { through }));
  }
  await Promise.all(apis.map((api) => api.untilHealthy()));
  const keys = createKeystore(redis, { deadlineMs: 10_000, replicas: 1 });
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey: adminKey } = await keys.create(owner, 'test', new Date(), true);
  const world = { stage, keys, addresses: apis.map(({ address }) => address), adminKey };
  let isAllHeld = true;
  for (const harm of HARMS.filter((one) => harms.split(',').includes(one))) {
    if (harm === 'cut' && !network) continue;
    const all = await roundsOf(harm, world);
    console.log(`${harm}: ${summary(all)}`);
    isAllHeld &&= all.every(isHeld);
  }
  return isAllHeld ? 0 : 1;
}

async function roundsOf(harm: Harm, world: World): Promise<Round[]> {
  const line = progressLine(`failover, ${harm}`, process.stderr);
  const all: Round[] = [];
  for (let done = 1; done <= rounds; done += 1) {
    const round = await hurtUnderLoad(harm, world);
    all.push(round);
    line.show({ done, total: rounds, what: `gap ${Math.round(round.gapMs)} ms` });
    if (!isHeld(round)) {
      line.note(`round ${done}: ${JSON.stringify(round)}\n${await world.stage.logs()}`);
    }
  }
  line.end();
  return all;
}

function summary(all: readonly Round[]): string {
  const gaps = all.map(({ gapMs }) => gapMs).toSorted((a, b) => a - b);
  const total = (of: (round: Round) => number) => all.reduce((sum, round) => sum + of(round), 0);
  const behind = total(({ behindCut }) => behindCut);
  return [
    `${all.filter(isHeld).length} of ${all.length} rounds held`,
    `gap ${inSeconds(gaps[Math.floor(gaps.length / 2)] ?? 0)} s in the middle, ${inSeconds(gaps.at(-1) ?? 0)} s at most`,
    `${total(({ keysLost }) => keysLost)} of ${total(({ keys }) => keys)} acknowledged keys lost`,
    `${total(({ good, counted }) => Math.max(0, good - counted))} of ${total(({ good }) => good)} counts lost`,
    ...(behind > 0 ? [`${behind} calls answered behind the cut`] : []),
  ].join('; ');
}

function isHeld({ gapMs, odd, keysLost }: Round): boolean {
  return gapMs < GAP_MAX_MS && odd === 0 && keysLost === 0;
}

async function hurtUnderLoad(
  harm: Harm,
  { stage: { hurtPrimary, heal }, keys, addresses, adminKey }: World,
): Promise<Round> {
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey } = await keys.create(owner, 'test', new Date());
  const callers = startCallers(addresses, apiKey);
  const making = makeKeys(addresses, adminKey);
  await sleep(BEFORE_MS);
  const hurtAt = performance.now();
  const hurt = await hurtPrimary(harm);
  await (harm === 'cut' ? sleep(CUT_MS) : callers.untilGood(AFTER_MS, GIVE_UP_MS));
  await heal();
  const healedAt = performance.now();
  await callers.untilGood(AFTER_MS, GIVE_UP_MS);
  const made = await making.stop();
  const answers = await callers.stop();
  const whileHurt = answers.filter(({ at }) => at > hurtAt && at < healedAt);
  const isBehind = ({ target }: Answer) => harm === 'cut' && target === hurt;
  const at = new Date();
  const standing = await Promise.all(made.map((key) => keys.admit(key, 0, at)));
  return {
    gapMs: longestGapMs(answers.filter((one) => !isBehind(one))),
    good: goodCount(answers),
    counted: (await keys.usage(apiKey, at)).monthCount,
    behindCut: goodCount(whileHurt.filter(isBehind)),
    odd: oddCount(answers),
    keys: made.length,
    keysLost: standing.filter(({ verdict }) => verdict === 'invalid').length,
  };
}

/** Has the APIs make keys over and over; in the end those that were acknowledged. */
function makeKeys(addresses: string[], adminKey: string): { stop: () => Promise<string[]> } {
  const stopping = new AbortController();
  const made: string[] = [];
  const making = addresses.map(async (address) => {
    while (!stopping.signal.aborted) {
      const query = { api_key: adminKey, name: 'chaos', email: 'chaos@headwind.example' };
      const { status, body } = await ask(address, '/api/keys/create', query);
      if (status === 200) made.push(String(body['api_key']));
      await sleep(20);
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(making);
      return made;
    },
  };
}
