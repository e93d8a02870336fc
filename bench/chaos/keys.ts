/**
 * `make chaos PART=keys ROUNDS=20`: Redis loses its data, returns with old data, or refuses writes. Checks that
 * `make status` reports the damage, and that no key and no archived count is missing after the repair.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { addOnce, requestStep } from '../../jobs/queue/requests.ts';
import type { RunningRedis } from '../stage/redis-process.ts';
import { startCallers, call } from './callers.ts';
import { openPartStage } from './own-stage.ts';
import { roundOptions, runRounds, type RoundResult } from './rounds.ts';
import {
  FAILING,
  findLastingFailure,
  startService,
  waitFor,
  type ChaosService,
} from './service.ts';

type Loss = {
  name: string;
  /** Disturbs Redis. Returns a function that repairs Redis. */
  disturb: () => Promise<() => Promise<void>>;
};

/** Time within which `make status` must report a loss. */
const REPORT_MS = 60_000;
const RECOVERY_MS = 120_000;
const DEADLINE_MS = 120_000;

const options = roundOptions('keys', 'take data and writes from Redis and check what status says');
const stage = await openPartStage('keys');
const copies = await mkdtemp(path.join(tmpdir(), 'hw-keys-'));
const service = await startService(stage);
try {
  process.exitCode = await chaos(service);
} finally {
  await service.stop();
  await stage.close();
  await rm(copies, { recursive: true, force: true });
}

async function chaos(own: ChaosService): Promise<number> {
  const apiKeys: string[] = [];
  const losses = lossesOf(stage.server, stage.redis, own);
  return runRounds('keys', options, async (round, random) => {
    apiKeys.push(await createKey(own));
    await archive(own);
    const loss = losses[round % losses.length];
    if (!loss) throw new Error('no loss');
    const apiKey = apiKeys[random.below(apiKeys.length)] ?? '';
    return loseAndRepair(own, loss, { apiKey, apiKeys });
  });
}

async function loseAndRepair(
  own: ChaosService,
  { name, disturb }: Loss,
  { apiKey, apiKeys }: { apiKey: string; apiKeys: string[] },
): Promise<RoundResult> {
  const problems: string[] = [];
  const countBefore = (await own.keys.usage(apiKey, new Date())).monthCount;
  const callers = startCallers([own.api.address], apiKey, 50);
  const repair = await disturb();
  const isReported = async () => (await own.run('status')).code === FAILING;
  const reportedMs = await waitFor('status reports the loss', REPORT_MS, isReported).catch(
    (error: Error) => void problems.push(error.message),
  );
  await repair();
  if (!(await callers.untilSuccessful(2_000, RECOVERY_MS))) problems.push('calls still fail');
  await callers.stop();
  for (const key of apiKeys) {
    const status = await call(own.api.address, '/api/keys/usage', { api_key: key });
    if (status !== 200) problems.push(`a key gets ${status}`);
  }
  const counted = (await own.keys.usage(apiKey, new Date())).monthCount;
  if (counted < countBefore) problems.push(`${countBefore - counted} archived counts lost`);
  await own.followJob(await requestStep(own.queues, 'publish'), DEADLINE_MS);
  problems.push(...(await findLastingFailure(own, RECOVERY_MS)));
  const seconds = reportedMs === undefined ? 'never' : `after ${Math.round(reportedMs / 1_000)} s`;
  return { what: `${name}: reported ${seconds}`, problems };
}

function lossesOf(server: RunningRedis, redis: Redis, own: ChaosService): Loss[] {
  const restore = async () => void (await own.run('keys-restore'));
  const restartWithout = async () => {
    await server.kill();
    await rm(path.join(server.folder, 'appendonlydir'), { recursive: true });
  };
  return [
    {
      name: 'all data deleted',
      disturb: async () => {
        await redis.flushall();
        return restore;
      },
    },
    {
      name: 'data folder deleted',
      disturb: async () => {
        await restartWithout();
        await server.restart();
        return restore;
      },
    },
    {
      name: 'old data',
      disturb: async () => {
        const copy = path.join(copies, 'old');
        await rm(copy, { recursive: true, force: true });
        await cp(path.join(server.folder, 'appendonlydir'), copy, { recursive: true });
        await createKey(own);
        await archive(own);
        await restartWithout();
        await cp(copy, path.join(server.folder, 'appendonlydir'), { recursive: true });
        await server.restart();
        return restore;
      },
    },
    {
      name: 'read-only replica',
      disturb: async () => {
        await redis.call('REPLICAOF', '127.0.0.1', '1');
        return async () => void (await redis.call('REPLICAOF', 'NO', 'ONE'));
      },
    },
    {
      name: 'too few replicas',
      disturb: async () => {
        await redis.config('SET', 'min-replicas-to-write', '1');
        return async () => void (await redis.config('SET', 'min-replicas-to-write', '0'));
      },
    },
  ];
}

async function createKey(own: ChaosService): Promise<string> {
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: 1_000_000_000 };
  return (await own.keys.create(owner, 'test', new Date())).apiKey;
}

/** Archives the API keys and their counts at once. The next scheduled archiving could be five minutes away. */
async function archive(own: ChaosService): Promise<void> {
  const ref = { queue: 'live', id: 'archive-keys-now' } as const;
  await own.followJob(await addOnce(own.queues, ref, 'archive-keys', {}), DEADLINE_MS);
}
