import { execFileSync, spawnSync } from 'node:child_process';

/** Of the documentation, and of nobody else. */
export const NET = '192.0.2';
/** We, as the machines see us: their way out, and whatever is not theirs. */
export const OUTSIDE = `${NET}.21`;

/** A network of that name for machines, which reaches ours through one wire; gives how to take it down. */
export function makeWorld(name: string): () => void {
  // Several may run at once, beside the networks of hosts.ts, which have 10.128.0.0/9.
  const net = `10.${100 + (process.pid % 28)}.${Math.trunc(process.pid / 28) % 250}`;
  const [ours, theirs] = [`${net}.1`, `${net}.2`];
  const [out, into] = [`hwo${process.pid}`, `hwi${process.pid}`];
  const inside = ['netns', 'exec', name];
  const masquerade = ['-t', 'nat', '-A', 'POSTROUTING', '-s', `${ours}/30`, '-j', 'MASQUERADE'];
  const down = () => {
    for (const [tool, ...args] of [
      ['ip', 'link', 'del', out],
      ['ip', 'netns', 'del', name],
      ['iptables', ...masquerade.with(2, '-D')],
    ] as const) {
      spawnSync(tool, args, { stdio: 'ignore' });
    }
  };
  // One that was killed may have left what had our number.
  down();
  try {
    ip('netns', 'add', name);
    ip('link', 'add', out, 'type', 'veth', 'peer', 'name', into, 'netns', name);
    ip('addr', 'add', `${ours}/30`, 'dev', out);
    ip('link', 'set', out, 'up');
    ip('-n', name, 'addr', 'add', `${theirs}/30`, 'dev', into);
    ip('-n', name, 'link', 'set', into, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'link', 'add', 'br0', 'type', 'bridge');
    ip('-n', name, 'addr', 'add', `${OUTSIDE}/24`, 'dev', 'br0');
    ip('-n', name, 'link', 'set', 'br0', 'up');
    ip('-n', name, 'route', 'add', 'default', 'via', ours);
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

/** What to put before a command so that it runs in that network, with our files and cgroups. */
export function throughWorld(name: string): string[] {
  return ['nsenter', `--net=/run/netns/${name}`];
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}
