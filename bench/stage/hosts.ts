import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** A machine of a network of its own: a network namespace with two links, both of which only it and we know. */
export type Host = {
  /** Address at which callers and we reach it; stays when it is cut off. */
  front: string;
  /** Address at which the other hosts reach it. */
  back: string;
  /** What to put before a command so that it runs there. */
  through: string[];
  /** Takes it off the network of the hosts: what is sent is lost without a word, connections stay open. */
  cut: () => void;
  mend: () => void;
};

export type Network = {
  hosts: Host[];
  /** Address at which the hosts reach us over the network between them, unless they are cut off. */
  outside: string;
  /** Takes the network down; what runs on the hosts has to be ended before. */
  stop: () => void;
};

/** Of networks of 256 addresses in 10.128.0.0/9. */
const PAIRS = 2 ** 14;

/** Whether this machine and this user may make hosts: Linux, with `ip`, as root. */
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

/** So many hosts behind two bridges: one for callers, one between the hosts, on which we are too. */
export function makeNetwork(count: number): Network {
  const own = process.pid;
  const nets = freeNets(own, addressesHere());
  const front = { net: nets.front, bridge: `hwf${own}`, device: 'eth0' };
  const back = { net: nets.back, bridge: `hwb${own}`, device: 'eth1' };
  const sides = [front, back];
  const names = Array.from({ length: count }, (_, at) => `hw${own}-${at}`);
  const stop = () => {
    for (const name of names) quietly('netns', 'del', name);
    for (const { bridge } of sides) quietly('link', 'del', bridge);
  };
  // One that was killed may have left what had our number.
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
        through: ['ip', 'netns', 'exec', name],
        cut: () => link('down'),
        mend: () => link('up'),
      };
    });
    return { hosts, outside: `${back.net}.254`, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * The first three numbers of two networks in 10.128.0.0/9 that this machine has no address in, looked for from the number of the
 * process on: what starts at the same time looks at others first, and what has the same ones is there to be seen.
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

function addressesHere(): string[] {
  return Object.values(networkInterfaces()).flatMap(
    (some) => some?.map((one) => one.address) ?? [],
  );
}

/** Does the work with so many hosts, and ends with what it gives; where none can be made it is left out, and that is told. */
export async function onHosts(
  count: number,
  work: (network: Network) => Promise<number>,
): Promise<void> {
  if (!canMakeHosts()) return console.error('no hosts of a network without root and ip: left out');
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

function quietly(...args: string[]): void {
  try {
    ip(...args);
  } catch {
    // It was not made.
  }
}
