import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-ports.ts';

export type SentinelStage = {
  /** As `REDIS_URL`. */
  url: string;
  /** Kills the server that is the primary now. */
  killPrimary: () => Promise<void>;
  /** Starts the server that was killed again; it comes back as a replica. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

const NAME = 'headwind';
const SENTINELS = 3;
const SERVERS = 2;
const DOWN_AFTER_MS = 1_500;
const PATIENCE_MS = 30_000;

/** One primary, one replica and three sentinels on this machine, as docs/deploy.md sets them up. */
export async function startSentinels(): Promise<SentinelStage> {
  const folder = await mkdtemp(join(tmpdir(), 'hw-sentinel-'));
  const ports = await freePorts(SERVERS + SENTINELS);
  const [first = 0, ...others] = ports.slice(0, SERVERS);
  const watching = ports.slice(SERVERS);
  const processes = new Map<number, ChildProcess>();

  const launch = async (port: number, args: string[]) => {
    processes.set(port, spawn('redis-server', args, { stdio: 'ignore' }));
    await answering(port);
  };
  const server = async (port: number, replicaOf?: number) => {
    const dir = join(folder, String(port));
    await mkdir(dir, { recursive: true });
    const durable = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
    const replica = replicaOf === undefined ? [] : ['--replicaof', `127.0.0.1 ${replicaOf}`];
    const quick = ['--repl-diskless-sync-delay', '0'];
    await launch(port, [
      ...['--port', String(port), '--dir', dir],
      ...[...durable, ...replica, ...quick],
    ]);
  };
  const sentinel = async (port: number) => {
    const file = join(folder, `sentinel-${port}.conf`);
    const lines = [
      `port ${port}`,
      `dir ${folder}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${first} 2`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${NAME} 5000`,
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    await launch(port, [file, '--sentinel']);
  };
  const asked = async () => {
    const redis = new Redis({ port: watching[0] ?? 0, maxRetriesPerRequest: 1 });
    redis.on('error', () => undefined);
    try {
      const master = (await redis.call('SENTINEL', 'MASTER', NAME)) as string[];
      const of = (name: string) => master[master.indexOf(name) + 1] ?? '';
      return {
        port: Number(of('port')),
        replicas: Number(of('num-slaves')),
        peers: of('num-other-sentinels'),
      };
    } finally {
      redis.disconnect();
    }
  };

  await server(first);
  for (const port of others) await server(port, first);
  for (const port of watching) await sentinel(port);
  await untilSo(async () => {
    const { replicas, peers } = await asked();
    return replicas === others.length && peers === String(SENTINELS - 1);
  });
  let killed = first;
  return {
    url: `sentinel://${watching.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    killPrimary: async () => {
      killed = (await asked()).port;
      await end(processes.get(killed));
    },
    restart: async () => {
      const { port } = await asked();
      await server(killed, port);
      await linked(killed);
    },
    stop: async () => {
      await Promise.all([...processes.values()].map(end));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function answering(port: number): Promise<void> {
  await untilSo(async () => (await ask(port, (redis) => redis.ping())) === 'PONG');
}

/** A replica that has all its primary has. */
async function linked(port: number): Promise<void> {
  await untilSo(
    async () =>
      (await ask(port, (redis) => redis.info('replication')))?.includes('master_link_status:up') ===
      true,
  );
}

async function ask<T>(port: number, what: (redis: Redis) => Promise<T>): Promise<T | undefined> {
  const redis = new Redis({
    port,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await what(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}

async function untilSo(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error('the sentinels are not ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
