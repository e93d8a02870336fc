import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-ports.ts';
import type { Host } from './hosts.ts';

/** What may happen to a primary: killed, frozen with its connections open, or cut off the network of the hosts. */
export type Harm = 'kill' | 'freeze' | 'cut';

export type SentinelStage = {
  /** As `REDIS_URL`. */
  url: string;
  /** Harms the server that is the primary now; says which of them it is. */
  hurtPrimary: (harm: Harm) => Promise<number>;
  /** Undoes that; the server has come back as a replica. */
  heal: () => Promise<void>;
  /** What each sentinel has said of late: why it let a primary go, or did not. */
  logs: () => Promise<string>;
  stop: () => Promise<void>;
};

export type SentinelOptions = {
  /** Three: a sentinel on each, and on each from the first on a server; all on this machine without them. */
  hosts?: readonly Host[];
  /** 2: one primary and one replica. 3: another replica, and a primary that reaches none takes no writes. */
  servers?: 2 | 3;
};

type Place = { address: string; port: number; host?: Host | undefined };

const NAME = 'headwind';
const SENTINELS = 3;
/**
 * Not 1000: who has just taken over is connected to within a second, as sentinels try no sooner after an attempt at the old primary.
 * Taken for dead meanwhile it costs a vote for nothing, after which none begins for twice the time of a failover.
 */
const DOWN_AFTER_MS = 1_400;
const FAILOVER_MS = 3_000;
const PATIENCE_MS = 120_000;
const LOG_LINES = 60;
const PRECEDENCE = -10;

/** A primary, its replicas and three sentinels, as docs/deploy.md sets them up. */
export async function startSentinels(options: SentinelOptions = {}): Promise<SentinelStage> {
  const { hosts, servers: count = 2 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'hw-sentinel-'));
  const ports = await freePorts(count + SENTINELS);
  const places = ports.map((port, at): Place => {
    const host = hosts?.[at < count ? at : at - count];
    return { address: host?.back ?? '127.0.0.1', port, host };
  });
  const servers = places.slice(0, count);
  const watching = places.slice(count);
  const [first, ...others] = servers as [Place, ...Place[]];
  const [asking] = watching.toReversed() as [Place];
  const processes = new Map<Place, ChildProcess>();

  const logOf = ({ port }: Place) => join(folder, `${port}.log`);
  const launch = async (place: Place, args: string[]) => {
    const [file = '', ...rest] = [...(place.host?.through ?? []), 'redis-server', ...args];
    const log = await open(logOf(place), 'a');
    const child = spawn(file, rest, { stdio: ['ignore', log.fd, 'ignore'] });
    await log.close();
    processes.set(place, child);
    if (place.host) precede(child);
    await untilSo(async () => (await ask(place, (redis) => redis.ping())) === 'PONG');
  };
  const server = async (place: Place, primary?: Place) => {
    const dir = join(folder, String(place.port));
    await mkdir(dir, { recursive: true });
    await launch(place, serverArgs({ place, primary, dir, minReplicas: count - 2 }));
  };
  const sentinel = async (place: Place) => {
    const file = join(folder, `sentinel-${place.port}.conf`);
    await writeFile(file, sentinelConfig({ place, primary: first, dir: folder }));
    await launch(place, [file, '--sentinel']);
  };
  const told = async () => {
    const master = await ask(asking, (redis) => redis.call('SENTINEL', 'MASTER', NAME));
    const facts = (master ?? []) as string[];
    return (name: string) => facts[facts.indexOf(name) + 1] ?? '';
  };
  const primaryNow = async () => {
    const port = Number((await told())('port'));
    return servers.find((place) => place.port === port) ?? first;
  };

  await server(first);
  for (const place of others) await server(place, first);
  for (const place of watching) await sentinel(place);
  await untilSo(async () => {
    const of = await told();
    const isWhole = of('num-other-sentinels') === String(SENTINELS - 1);
    return isWhole && of('num-slaves') === String(others.length);
  });
  let hurt = { place: first, harm: 'kill' as Harm };
  return {
    url: `sentinel://${watching.map(({ address, port }) => `${address}:${port}`).join(',')}/${NAME}`,
    hurtPrimary: async (harm) => {
      const place = await primaryNow();
      hurt = { place, harm };
      if (harm === 'kill') await end(processes.get(place));
      if (harm === 'freeze') processes.get(place)?.kill('SIGSTOP');
      if (harm === 'cut') place.host?.cut();
      return servers.indexOf(place);
    },
    heal: async () => {
      const { place, harm } = hurt;
      if (harm === 'kill') await server(place, await primaryNow());
      if (harm === 'freeze') processes.get(place)?.kill('SIGCONT');
      if (harm === 'cut') place.host?.mend();
      await untilSo(async () => {
        const said = await ask(place, (redis) => redis.info('replication'));
        return said?.includes('master_link_status:up') === true;
      });
    },
    logs: async () => (await Promise.all(watching.map((place) => tailOf(logOf(place))))).join('\n'),
    stop: async () => {
      await Promise.all([...processes.values()].map(end));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function tailOf(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return [`${file}:`, ...lines.slice(-LOG_LINES)].join('\n');
}

/** Of a primary, or of the replica of one. */
function serverArgs({
  place: { port, host },
  primary,
  dir,
  minReplicas,
}: {
  place: Place;
  primary: Place | undefined;
  dir: string;
  minReplicas: number;
}): string[] {
  return [
    ...['--port', String(port), '--dir', dir],
    ...(host ? ['--bind', '0.0.0.0', '--protected-mode', 'no'] : []),
    ...['--appendonly', 'yes', '--appendfsync', 'no', '--save', ''],
    ...['--repl-diskless-sync-delay', '0'],
    ...['--min-replicas-to-write', String(minReplicas), '--min-replicas-max-lag', '2'],
    ...(primary ? ['--replicaof', `${primary.address} ${primary.port}`] : []),
  ];
}

function sentinelConfig({
  place: { port, host },
  primary,
  dir,
}: {
  place: Place;
  primary: Place;
  dir: string;
}): string {
  const lines = [
    `port ${port}`,
    `dir ${dir}`,
    ...(host ? ['bind 0.0.0.0', 'protected-mode no'] : []),
    `sentinel monitor ${NAME} ${primary.address} ${primary.port} 2`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} ${FAILOVER_MS}`,
  ];
  return `${lines.join('\n')}\n`;
}

async function ask<T>(
  { address, port, host }: Place,
  what: (redis: Redis) => Promise<T>,
): Promise<T | undefined> {
  const redis = new Redis({
    host: host?.front ?? address,
    port,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_000,
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

/** On a machine of its own it would share the cores with nobody: one that waits for them is taken for dead. */
function precede({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRECEDENCE);
  } catch {
    // It has ended, or we may not.
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
