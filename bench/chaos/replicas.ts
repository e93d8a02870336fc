/**
 * `make chaos PART=replicas ROUNDS=5`: runs API replicas on separate hosts behind HAProxy. While calls arrive, it
 * restarts the replicas one after the other, rolls the store back and forward, and rotates a key. No call may fail.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Redis } from 'ioredis';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { createKeyAdmin } from '../../warehouse/keyring/key-admin.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { currentVersion } from '../../warehouse/store/redis.ts';
import { rollBack } from '../../warehouse/store/rollback.ts';
import { startApi, type ApiProcess } from '../stage/api-process.ts';
import { startHaproxy } from '../stage/haproxy.ts';
import { onHosts, type Host, type Network } from '../stage/hosts.ts';
import { startSentinels } from '../stage/sentinels.ts';
import { publishHistory } from '../trial-service.ts';
import { goodCount, startCallers, type Answer } from './callers.ts';
import { countArgument } from './options.ts';

const REPLICAS = 2;
const HOSTS = 3;
const PORT = '8080';
/** Wait after a start of a replica. HAProxy checks once a second, so it has noticed by then that the replica runs. */
const PROXY_CHECK_MS = 2_500;
const SWAP_MS = 1_500;
const GRACE_MS = 3_600_000;
const UNLIMITED = 1_000_000_000;

const program = new Command('chaos-replicas')
  .description('check that no call fails while replicas restart, stores change and keys rotate')
  .option('--rounds <count>', 'number of rounds', countArgument, 5);
const { rounds } = program.parse().opts<{ rounds: number }>();

await onHosts(HOSTS, withService);

async function withService(network: Network): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-replicas-'));
  const stage = await startSentinels({ hosts: network.hosts });
  const redis = openRedisClient(stage.url);
  redis.on('error', () => undefined);
  const replicas: Replica[] = [];
  try {
    const dataDir = path.join(folder, 'data');
    await mkdir(dataDir);
    await publishHistory(dataDir, stage.url, '2025-06');
    await publishHistory(dataDir, stage.url, '2025-07');
    for (const [at, host] of network.hosts.slice(0, REPLICAS).entries()) {
      replicas.push(await startReplica(host, path.join(folder, `replica-${at}`), stage.url));
    }
    const proxy = await startHaproxy(
      folder,
      replicas.map(({ address }) => address),
    );
    try {
      return await chaos({
        redis,
        replicas,
        address: proxy.address,
        storeDir: dataPaths(dataDir).storeDir,
      });
    } finally {
      await proxy.stop();
    }
  } finally {
    await Promise.all(replicas.map(({ stop }) => stop()));
    redis.disconnect();
    await stage.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An API that shares only Redis with the other replicas. */
type Replica = { address: string; restart: () => Promise<void>; stop: () => Promise<void> };

async function startReplica(
  { front, commandPrefix }: Host,
  dataDir: string,
  url: string,
): Promise<Replica> {
  const settings = { REDIS_URL: url, DATA_DIR: dataDir, HOST: front, PORT, LOG_LEVEL: 'error' };
  const start = async () => {
    const api = await startApi(settings, { commandPrefix });
    await api.untilHealthy();
    return api;
  };
  let api: ApiProcess = await start();
  return {
    address: api.address,
    restart: async () => {
      await api.stop();
      api = await start();
    },
    stop: () => api.stop(),
  };
}

type World = { redis: Redis; replicas: Replica[]; address: string; storeDir: string };

async function chaos({ redis, replicas, address, storeDir }: World): Promise<number> {
  const keys = createKeystore(redis, { deadlineMs: 10_000, replicas: 1 });
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey, prefix } = await keys.create(owner, 'test', new Date());
  const newest = await currentVersion(redis);
  if (newest === undefined) throw new Error('no store is published');
  const office = createKeyAdmin(redis);
  const callers = startCallers([address], apiKey);
  const line = progressLine('replicas', process.stderr);
  let current = prefix;
  const events: Record<string, () => Promise<unknown>> = {
    'rolled back': () => rollBack(storeDir, redis),
    'published again': () => rollBack(storeDir, redis, newest),
    rotated: async () => {
      const fresh = await office.rotate(current, new Date(Date.now() + GRACE_MS), new Date());
      if (!fresh || 'refusal' in fresh) throw new Error('the key was not rotated');
      current = fresh.prefix;
    },
  };
  const failures: Record<string, number> = {};
  const countDuring = async (name: string, event: () => Promise<unknown>, afterMs: number) => {
    const from = callers.answers.length;
    await event();
    await sleep(afterMs);
    failures[name] = (failures[name] ?? 0) + countFailures(callers.answers, from);
  };
  for (let done = 1; done <= rounds; done += 1) {
    for (const replica of replicas) await countDuring('restarted', replica.restart, PROXY_CHECK_MS);
    for (const [name, event] of Object.entries(events)) await countDuring(name, event, SWAP_MS);
    line.show({ done, total: rounds, what: `${callers.answers.length} calls` });
  }
  line.end();
  const answers = await callers.stop();
  const counted = (await keys.usage(apiKey, new Date())).monthCount;
  const good = goodCount(answers);
  const failureTexts = Object.entries(failures).map(([name, count]) => `${name} ${count}`);
  const statuses = Object.groupBy(answers, ({ status }) => String(status));
  const statusTexts = Object.entries(statuses).map(
    ([status, calls]) => `${status}: ${calls?.length}`,
  );
  console.log(
    `${good} of ${answers.length} calls answered (${statusTexts.join(', ')}), ${counted} counted; ` +
      `failed calls by event: ${failureTexts.join(', ')}; ${rounds} rounds, ${rounds * replicas.length} restarts`,
  );
  return good === answers.length && counted === good ? 0 : 1;
}

function countFailures(answers: readonly Answer[], from: number): number {
  return answers.slice(from).filter(({ status }) => status !== 200).length;
}
