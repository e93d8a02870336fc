/**
 * `make chaos PART=watches ROUNDS=5`: changes the scores of watched flights while workers and Redis are killed, and
 * while receivers hang, refuse, redirect to private addresses, break connections and vanish. Each watcher gets each
 * change once, in order.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readNotified } from '../../warehouse/live/watches.ts';
import type { Random } from '../generate/random.ts';
import { startReceiver, type Misbehaviour, type WatchReceiver } from '../watches/receiver.ts';
import { killWorker, startWatchWorker } from '../watches/watch-worker.ts';
import { createWatchWorld, type WatchWorld } from '../watches/world.ts';
import { roundOptions, runRounds, type RoundResult } from './rounds.ts';

const WATCHES = 400;
const WORKERS = 2;
/** Number of changes of each flight in a round. */
const CHANGES = 3;
/** A change must reach all watches within this time after the disturbances. */
const DEADLINE_MS = 60_000;
/** Disturbances begin within this time after a change. */
const SPREAD_MS = 4_000;
const VANISHED_MS = 2_000;
const POLL_MS = 100;

const MISBEHAVIOURS: Record<string, Misbehaviour> = {
  hangs: () => true,
  refuses: (response) => Boolean(response.writeHead(503).end()),
  redirects: (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/private' }).end();
    return true;
  },
  breaks: (response) => {
    response.destroy();
    return true;
  },
};

const options = roundOptions(
  'watches',
  'check that each change reaches each watcher once, in order',
);
/** The current weather. Each round starts with the weather at the end of the former round. */
let weather: 'calm' | 'storm' = 'calm';
const world = await createWatchWorld();
try {
  process.exitCode = await runRounds('watches', options, runRound);
} finally {
  await world.stop();
}

async function runRound(_round: number, random: Random): Promise<RoundResult> {
  const [steady, hurt] = [await startReceiver(), await startReceiver()];
  const ids = [
    ...(await world.addWatches(WATCHES / 2, `http://${steady.host}/flights`)),
    ...(await world.addWatches(WATCHES / 2, `http://${hurt.host}/flights`)),
  ];
  const hosts = [steady, hurt].map(({ host }) => host).join();
  const workers: ChildProcess[] = [];
  const events: string[] = [];
  try {
    for (let at = 0; at < WORKERS; at += 1) {
      workers.push(await startWorker(hosts));
    }
    for (let change = 0; change < CHANGES; change += 1) {
      const before = await knownScores(world, ids);
      weather = weather === 'calm' ? 'storm' : 'calm';
      await world.forecast(weather);
      await disturb({ hurt, workers, hosts, events }, random);
      await waitUntil('all changes are recorded', async () => {
        const known = await knownScores(world, ids);
        return known.every((score, at) => score !== before[at]);
      });
    }
    hurt.misbehave = () => false;
    await waitUntil('all messages are delivered', async () => {
      return (await world.redis.scard('hw:watches:pending')) === 0;
    });
    const problems = [steady, hurt].flatMap((receiver) => checkMessages(receiver, ids));
    return { what: events.join(', '), problems };
  } finally {
    await Promise.all(workers.map(killWorker));
    await Promise.all([steady.vanish(), hurt.vanish()]);
    for (const key of await world.redis.keys('hw:watch*')) await world.redis.del(key);
  }
}

function startWorker(hosts: string): Promise<ChildProcess> {
  const { dataDir, server } = world;
  return startWatchWorker({ redisUrl: server.url, dataDir, hosts, profile: 'fast' });
}

/** Disturbs workers, Redis and a receiver at random moments after a change. */
async function disturb(
  parts: { hurt: WatchReceiver; workers: ChildProcess[]; hosts: string; events: string[] },
  random: Random,
): Promise<void> {
  const { hurt, workers, hosts, events } = parts;
  const moment = () => sleep(random.next() * SPREAD_MS);
  const names = Object.keys(MISBEHAVIOURS);
  const name = names[random.below(names.length)] ?? '';
  hurt.misbehave = MISBEHAVIOURS[name] ?? (() => false);
  events.push(name);
  const [isVanishing, isRedisKilled] = [random.below(2) === 0, random.below(2) === 0];
  const restartWorker = async () => {
    await moment();
    const at = random.below(workers.length);
    await killWorker(workers[at]!);
    workers[at] = await startWorker(hosts);
    events.push('worker killed');
  };
  const vanish = async () => {
    await moment();
    await hurt.vanish();
    await sleep(VANISHED_MS);
    await hurt.comeBack();
    events.push('vanished');
  };
  const killRedis = async () => {
    await moment();
    await world.server.restart();
    events.push('Redis killed');
  };
  await Promise.all([
    restartWorker(),
    isVanishing ? vanish() : undefined,
    isRedisKilled ? killRedis() : undefined,
  ]);
  // In half of the cases, the receiver recovers now. In the other cases, messages pile up over several changes.
  if (random.below(2) === 0) hurt.misbehave = () => false;
}

/**
 * Returns the ways in which the accepted messages break the promise. A repeated message has the id of the original
 * message.
 */
function checkMessages({ accepted }: WatchReceiver, ids: string[]): string[] {
  const byWatch = Map.groupBy(accepted, ({ watch }) => watch);
  const problems: string[] = [];
  for (const [id, messages] of byWatch) {
    if (!ids.includes(id)) problems.push(`${id} is unknown`);
    const distinct = [...new Map(messages.map((one) => [one.id, one])).values()];
    if (distinct.length !== CHANGES) problems.push(`${id} got ${distinct.length} changes`);
    const isChain = distinct.every(
      ({ previousScore }, at) => at === 0 || previousScore === distinct[at - 1]?.score,
    );
    if (!isChain) problems.push(`${id} got changes out of order`);
  }
  const missing = WATCHES / 2 - byWatch.size;
  if (missing !== 0) problems.push(`${missing} watches got nothing`);
  return problems.slice(0, 3);
}

async function knownScores({ redis }: WatchWorld, ids: string[]): Promise<(number | undefined)[]> {
  return (await readNotified(redis, ids)).map((known) => known?.score);
}

async function waitUntil(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + DEADLINE_MS;
  while (!(await isDone())) {
    if (performance.now() > until) throw new Error(`not within ${DEADLINE_MS / 1_000} s: ${what}`);
    await sleep(POLL_MS);
  }
}
