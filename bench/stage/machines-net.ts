import { execFileSync, spawnSync } from 'node:child_process';

/** A network reserved for documentation. */
export const NET = '192.0.2';
/**
 * Address of this machine for the simulated machines. It is the gateway of these machines. It is also the address of
 * services that run outside them.
 */
export const OWN_ADDRESS = `${NET}.21`;

/**
 * Makes a network namespace for machines, connected to this machine's network by one link. Returns a function that
 * removes the network namespace.
 */
export function makeMachineNetwork(name: string): () => void {
  // The addresses depend on the process number, so that several networks can exist at once. They differ from the
  // networks of hosts.ts, which are in 10.128.0.0/9.
  const net = `10.${100 + (process.pid % 28)}.${Math.trunc(process.pid / 28) % 250}`;
  const [hostAddress, guestAddress] = [`${net}.1`, `${net}.2`];
  const [out, into] = [`hwo${process.pid}`, `hwi${process.pid}`];
  const inside = ['netns', 'exec', name];
  const masquerade = [
    '-t',
    'nat',
    '-A',
    'POSTROUTING',
    '-s',
    `${hostAddress}/30`,
    '-j',
    'MASQUERADE',
  ];
  const down = () => {
    for (const [tool, ...args] of [
      ['ip', 'link', 'del', out],
      ['ip', 'netns', 'del', name],
      ['iptables', ...masquerade.with(2, '-D')],
    ] as const) {
      spawnSync(tool, args, { stdio: 'ignore' });
    }
  };
  // A killed process with the same number may have left its network behind.
  down();
  try {
    ip('netns', 'add', name);
    ip('link', 'add', out, 'type', 'veth', 'peer', 'name', into, 'netns', name);
    ip('addr', 'add', `${hostAddress}/30`, 'dev', out);
    ip('link', 'set', out, 'up');
    ip('-n', name, 'addr', 'add', `${guestAddress}/30`, 'dev', into);
    ip('-n', name, 'link', 'set', into, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'link', 'add', 'br0', 'type', 'bridge');
    ip('-n', name, 'addr', 'add', `${OWN_ADDRESS}/24`, 'dev', 'br0');
    ip('-n', name, 'link', 'set', 'br0', 'up');
    ip('-n', name, 'route', 'add', 'default', 'via', hostAddress);
    execFileSync('sysctl', ['-qw', 'net.ipv4.ip_forward=1']);
    execFileSync('iptables', masquerade);
    ip(...inside, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    const all = ['-t', 'nat', '-A', 'POSTROUTING', '-s', `${NET}.0/24`, '-o', into];
    ip(...inside, 'iptables', ...all, '-j', 'MASQUERADE');
    return down;
  } catch (error) {
    down();
    throw error;
  }
}

/**
 * Returns the words to put before a command so that it runs in this network. The command keeps this machine's files and
 * control groups.
 */
export function networkPrefix(name: string): string[] {
  return ['nsenter', `--net=/run/netns/${name}`];
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}
