import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** A simulated host: a network namespace with two links. */
export type Host = {
  /** Address for callers and this process. The address still works when the host is cut off. */
  front: string;
  /** Address for the other hosts. */
  back: string;
  /** Words to put before a command so that it runs on the host. */
  commandPrefix: string[];
  /** Cuts the host off from the other hosts. Packets between them are lost silently, and connections stay open. */
  disconnect: () => void;
  reconnect: () => void;
};

export type Network = {
  hosts: Host[];
  /** Address of this process in the network between the hosts. Hosts that are cut off cannot reach it. */
  ownAddress: string;
  /** Removes the network. End all processes on the hosts before you call this function. */
  stop: () => void;
};

/** Number of pairs of networks in 10.128.0.0/9; each network has 256 addresses. */
const PAIRS = 2 ** 14;

/** Returns whether this user can make hosts on this machine. Hosts need Linux, `ip` and root. */
export function canMakeHosts(): boolean {
  const name = `hwtry${process.pid}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes `count` simulated hosts, each connected to two bridges. One bridge is for callers. The other connects the hosts
 * with each other and with this process.
 */
export function makeNetwork(count: number): Network {
  const own = process.pid;
  const nets = freeNets(own, localAddresses());
  const front = { net: nets.front, bridge: `hwf${own}`, device: 'eth0' };
  const back = { net: nets.back, bridge: `hwb${own}`, device: 'eth1' };
  const sides = [front, back];
  const names = Array.from({ length: count }, (_, at) => `hw${own}-${at}`);
  const stop = () => {
    for (const name of names) tryIp('netns', 'del', name);
    for (const { bridge } of sides) tryIp('link', 'del', bridge);
  };
  // A killed process with the same number may have left its network behind.
  stop();
  try {
    for (const { net, bridge } of sides) {
      ip('link', 'add', bridge, 'type', 'bridge');
      ip('addr', 'add', `${net}.254/24`, 'dev', bridge);
      ip('link', 'set', bridge, 'up');
    }
    const hosts = names.map((name, at): Host => {
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'set', 'lo', 'up');
      for (const { net, bridge, device } of sides) {
        const port = `${bridge}.${at}`;
        ip('link', 'add', port, 'type', 'veth', 'peer', 'name', device, 'netns', name);
        ip('link', 'set', port, 'master', bridge, 'up');
        ip('-n', name, 'addr', 'add', `${net}.${at + 1}/24`, 'dev', device);
        ip('-n', name, 'link', 'set', device, 'up');
      }
      const link = (state: string) => ip('link', 'set', `${back.bridge}.${at}`, state);
      return {
        front: `${front.net}.${at + 1}`,
        back: `${back.net}.${at + 1}`,
        commandPrefix: ['ip', 'netns', 'exec', name],
        disconnect: () => link('down'),
        reconnect: () => link('up'),
      };
    });
    return { hosts, ownAddress: `${back.net}.254`, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * Returns two networks in 10.128.0.0/9 in which this machine has no address, each as its first three numbers. The
 * process number determines where the search starts, so that processes that start at the same time choose different
 * networks.
 */
export function freeNets(
  pid: number,
  addresses: readonly string[],
): { front: string; back: string } {
  const netAt = (number: number) => `10.${128 + (number >> 8)}.${number & 255}`;
  const isFree = (net: string) => !addresses.some((address) => address.startsWith(`${net}.`));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const first = 2 * ((pid + pair) % PAIRS);
    const [front, back] = [netAt(first), netAt(first + 1)];
    if (isFree(front) && isFree(back)) return { front, back };
  }
  throw new Error('no network of 10.128.0.0/9 is free');
}

function localAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
}

/**
 * Runs `work` with this many hosts; the result of `work` becomes the exit code. If hosts cannot be made, prints a note
 * and does nothing else.
 */
export async function onHosts(
  count: number,
  work: (network: Network) => Promise<number>,
): Promise<void> {
  if (!canMakeHosts()) {
    return console.error('this part is left out: making hosts needs root and ip');
  }
  const network = makeNetwork(count);
  try {
    process.exitCode = await work(network);
  } finally {
    network.stop();
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

function tryIp(...args: string[]): void {
  try {
    ip(...args);
  } catch {
    // The link or namespace does not exist.
  }
}
