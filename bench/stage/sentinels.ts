import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-ports.ts';
import type { Host } from './hosts.ts';

/** Harms of a primary: killed, frozen with open connections, or cut off from the other hosts. */
export type Harm = 'kill' | 'freeze' | 'cut';

export type SentinelStage = {
  /** Address for `REDIS_URL`. */
  url: string;
  /** Harms the current primary; returns its index among the servers. */
  harmPrimary: (harm: Harm) => Promise<number>;
  /** Repairs the harm and waits until the server has returned as a replica. */
  repair: () => Promise<void>;
  /** Returns the last log lines of each sentinel. They show why the sentinel replaced a primary or did not. */
  logs: () => Promise<string>;
  stop: () => Promise<void>;
};

export type SentinelOptions = {
  /**
   * Three hosts. Each host runs a sentinel, and the first hosts also run one server each. If absent, all processes run
   * on this machine.
   */
  hosts?: readonly Host[];
  /**
   * With 2 servers, there is one primary and one replica. With 3, there is one more replica, and a primary that reaches
   * no replica accepts no writes.
   */
  servers?: 2 | 3;
};

type Place = { address: string; port: number; host?: Host | undefined };

const NAME = 'headwind';
const SENTINELS = 3;
/**
 * Time without an answer after which a sentinel considers the primary dead. It must be more than 1000: a sentinel may
 * take up to a second to connect to a new primary. With 1000, it could consider the new primary dead in that second and
 * request a vote. The vote fails, and no sentinel begins another vote for twice `failover-timeout`.
 */
const DOWN_AFTER_MS = 1_400;
const FAILOVER_MS = 3_000;
const TIMEOUT_MS = 120_000;
const LOG_LINES = 60;
const PRIORITY = -10;

/** Starts a primary, its replicas and three sentinels, as docs/deploy.md sets them up. */
export async function startSentinels(options: SentinelOptions = {}): Promise<SentinelStage> {
  const { hosts, servers: count = 2 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'hw-sentinel-'));
  const ports = await freePorts(count + SENTINELS);
  const places = ports.map((port, at): Place => {
    const host = hosts?.[at < count ? at : at - count];
    return { address: host?.back ?? '127.0.0.1', port, host };
  });
  const servers = places.slice(0, count);
  const sentinels = places.slice(count);
  const [first, ...replicas] = servers as [Place, ...Place[]];
  const [sentinel] = sentinels.toReversed() as [Place];
  const processes = new Map<Place, ChildProcess>();

  const logOf = ({ port }: Place) => join(folder, `${port}.log`);
  const launch = async (place: Place, args: string[]) => {
    const [file = '', ...rest] = [...(place.host?.commandPrefix ?? []), 'redis-server', ...args];
    const log = await open(logOf(place), 'a');
    const child = spawn(file, rest, { stdio: ['ignore', log.fd, 'ignore'] });
    await log.close();
    processes.set(place, child);
    if (place.host) raisePriority(child);
    await waitUntil(async () => (await withClient(place, (redis) => redis.ping())) === 'PONG');
  };
  const startServer = async (place: Place, primary?: Place) => {
    const dir = join(folder, String(place.port));
    await mkdir(dir, { recursive: true });
    await launch(place, serverArgs({ place, primary, dir, minReplicas: count - 2 }));
  };
  const startSentinel = async (place: Place) => {
    const file = join(folder, `sentinel-${place.port}.conf`);
    await writeFile(file, sentinelConfig({ place, primary: first, dir: folder }));
    await launch(place, [file, '--sentinel']);
  };
  const readMaster = async () => {
    const master = await withClient(sentinel, (redis) => redis.call('SENTINEL', 'MASTER', NAME));
    const facts = (master ?? []) as string[];
    return (name: string) => facts[facts.indexOf(name) + 1] ?? '';
  };
  const findPrimary = async () => {
    const port = Number((await readMaster())('port'));
    return servers.find((place) => place.port === port) ?? first;
  };

  await startServer(first);
  for (const place of replicas) await startServer(place, first);
  for (const place of sentinels) await startSentinel(place);
  await waitUntil(async () => {
    const fact = await readMaster();
    const hasSentinels = fact('num-other-sentinels') === String(SENTINELS - 1);
    return hasSentinels && fact('num-slaves') === String(replicas.length);
  });
  let harmed = { place: first, harm: 'kill' as Harm };
  return {
    url: `sentinel://${sentinels.map(({ address, port }) => `${address}:${port}`).join(',')}/${NAME}`,
    harmPrimary: async (harm) => {
      const place = await findPrimary();
      harmed = { place, harm };
      if (harm === 'kill') await end(processes.get(place));
      if (harm === 'freeze') processes.get(place)?.kill('SIGSTOP');
      if (harm === 'cut') place.host?.disconnect();
      return servers.indexOf(place);
    },
    repair: async () => {
      const { place, harm } = harmed;
      if (harm === 'kill') await startServer(place, await findPrimary());
      if (harm === 'freeze') processes.get(place)?.kill('SIGCONT');
      if (harm === 'cut') place.host?.reconnect();
      await waitUntil(async () => {
        const info = await withClient(place, (redis) => redis.info('replication'));
        return info?.includes('master_link_status:up') === true;
      });
    },
    logs: async () =>
      (await Promise.all(sentinels.map((place) => readTail(logOf(place))))).join('\n'),
    stop: async () => {
      await Promise.all([...processes.values()].map(end));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readTail(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return [`${file}:`, ...lines.slice(-LOG_LINES)].join('\n');
}

/** Returns the arguments of `redis-server`. If `primary` is given, the server is a replica of that primary. */
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

async function withClient<T>(
  { address, port, host }: Place,
  work: (redis: Redis) => Promise<T>,
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
    return await work(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + TIMEOUT_MS;
  while (!(await isTrue())) {
    if (Date.now() > until) {
      throw new Error(`Redis and sentinels were not ready within ${TIMEOUT_MS / 1_000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Raises the priority of a server. In reality, each server has its own machine. Here, a server that waits for a core
 * would seem dead.
 */
function raisePriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRIORITY);
  } catch {
    // The process has ended, or we lack the permission.
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
