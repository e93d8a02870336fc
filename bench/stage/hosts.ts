import { execFileSync } from 'node:child_process';

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

const NETS = 100;

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
  // Several may run at once; the numbers of the process keep them apart.
  const net = (half: number) =>
    `10.${150 + (own % NETS)}.${2 * (Math.trunc(own / NETS) % 100) + half}`;
  const bridges = [`hwf${own}`, `hwb${own}`] as const;
  const names = Array.from({ length: count }, (_, at) => `hw${own}-${at}`);
  const stop = () => {
    for (const name of names) quietly('netns', 'del', name);
    for (const bridge of bridges) quietly('link', 'del', bridge);
  };
  try {
    for (const [half, bridge] of bridges.entries()) {
      ip('link', 'add', bridge, 'type', 'bridge');
      ip('addr', 'add', `${net(half)}.254/24`, 'dev', bridge);
      ip('link', 'set', bridge, 'up');
    }
    const hosts = names.map((name, at): Host => {
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'set', 'lo', 'up');
      const addresses = [0, 1].map((half) => `${net(half)}.${at + 1}`);
      const ports = bridges.map((bridge) => `${bridge}.${at}`);
      for (const [half, bridge] of bridges.entries()) {
        const [port = '', device] = [ports[half], `eth${half}`];
        ip('link', 'add', port, 'type', 'veth', 'peer', 'name', device, 'netns', name);
        ip('link', 'set', port, 'master', bridge, 'up');
        ip('-n', name, 'addr', 'add', `${addresses[half]}/24`, 'dev', device);
        ip('-n', name, 'link', 'set', device, 'up');
      }
      const [front = '', back = ''] = addresses;
      const link = (state: string) => ip('link', 'set', ports[1] ?? '', state);
      return {
        front,
        back,
        through: ['ip', 'netns', 'exec', name],
        cut: () => link('down'),
        mend: () => link('up'),
      };
    });
    return { hosts, outside: `${net(1)}.254`, stop };
  } catch (error) {
    stop();
    throw error;
  }
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
