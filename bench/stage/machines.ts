import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackages } from './debian-packages.ts';
import { NET, OUTSIDE } from './machines-net.ts';

/** A Debian of its own that has booted, with its own systemd, disk and address. */
export type Machine = {
  address: string;
  /** Runs the lines as root would who is logged in there; gives what they print, and throws with it when one fails. */
  run: (lines: string) => Promise<string>;
  /** Takes its power away. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
};

export type MachineOptions = {
  /** Last number of its address in the network of docs/deploy.md. */
  number: number;
  /** Where its disk is; one that is there is used again. */
  folder: string;
  /** Where the empty Debian is. */
  debian: string;
  /** Shown to it as `/srv/headwind.git`. */
  repository: string;
};

const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const BOOTED_WITHIN_MS = 60_000;
/** What ran on it takes so long to be gone after it. */
const ENDING_MS = 500;
const NEEDED = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  iptables: 'iptables',
};

/** What is missing for machines: words for a person, or nothing. */
export function lackForMachines(): string | undefined {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return 'not root, on Linux';
  const has = (tool: string) => spawnSync('which', [tool]).status === 0;
  const missing = Object.entries(NEEDED).flatMap(([tool, packet]) => (has(tool) ? [] : [packet]));
  if (missing.length === 0) return undefined;
  installPackages(...missing);
  const still = Object.keys(NEEDED).filter((tool) => !has(tool));
  return still.length === 0 ? undefined : `missing: ${still.join(', ')}`;
}

/** Makes an empty Debian in that folder, unless there is one; it trusts whom we trust. */
export async function makeDebian(folder: string): Promise<void> {
  if (existsSync(path.join(folder, 'whole'))) return;
  const include = '--include=systemd,systemd-sysv,dbus,ca-certificates,procps';
  const args = ['--variant=minbase', include, RELEASE, folder, MIRROR];
  execFileSync('debootstrap', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const own = '/usr/local/share/ca-certificates';
  for (const name of existsSync(own) ? readdirSync(own) : []) {
    await copyFile(path.join(own, name), path.join(folder, own, name));
  }
  execFileSync('chroot', [folder, 'update-ca-certificates'], { stdio: 'ignore' });
  await writeFile(path.join(folder, 'whole'), '');
}

/** Boots a machine in the network we are in. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { number, folder } = options;
  const address = `${NET}.${number}`;
  const root = await makeDisk(options, address);
  const name = `hw-${process.pid}-${number}`;
  let machine: ChildProcess | undefined;
  const start = async () => {
    machine = await boot(name, root, options);
    const until = Date.now() + BOOTED_WITHIN_MS;
    while (!(await isUp(machine, address))) {
      if (Date.now() > until) throw new Error(`${address} does not boot: ${folder}/console`);
      await sleep(200);
    }
  };
  await start();
  return {
    address,
    run: async (lines) => {
      const { code, said } = await runIn(machine, `${isIn(address)} || exit 97\n${lines}`);
      if (code !== 0) throw new Error(`${address} says ${code}: ${said.slice(-2_000)}`);
      return said;
    },
    kill: async () => {
      if (!machine || machine.exitCode !== null || machine.signalCode !== null) return;
      const gone = once(machine, 'exit');
      const init = initOf(machine);
      if (init !== undefined) process.kill(init, 'SIGKILL');
      machine.kill('SIGKILL');
      await gone;
      await sleep(ENDING_MS);
      for (const group of groupsOf(name)) {
        spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'], {
          stdio: 'ignore',
        });
      }
    },
    start,
  };
}

/** Unmounts the disk of a machine that does not run; what is on it stays. */
export function leaveMachine(folder: string): void {
  spawnSync('umount', ['-l', path.join(folder, 'root')], { stdio: 'ignore' });
}

/** What the machine writes is beside the empty Debian, which stays as it is. */
async function makeDisk({ folder, debian }: MachineOptions, address: string): Promise<string> {
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => path.join(folder, name));
  for (const one of [upper, work, root]) await mkdir(one ?? '', { recursive: true });
  const layers = `lowerdir=${debian},upperdir=${upper},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root ?? '']);
  const at = (name: string) => path.join(root ?? '', 'etc', name);
  await mkdir(at('systemd/network'), { recursive: true });
  const network = `[Match]\nName=host0\n[Network]\nAddress=${address}/24\nGateway=${OUTSIDE}\n`;
  await writeFile(at('systemd/network/10-host0.network'), network);
  await writeFile(at('hostname'), `${hostname(address)}\n`);
  await copyFile('/etc/resolv.conf', at('resolv.conf'));
  await writeFile(at('apt/apt.conf.d/80-retries'), 'Acquire::Retries "5";\n');
  const wanted = at('systemd/system/multi-user.target.wants');
  await mkdir(wanted, { recursive: true });
  const unit = 'systemd-networkd.service';
  await symlink(`/lib/systemd/system/${unit}`, path.join(wanted, unit)).catch(() => undefined);
  return root ?? '';
}

/** What is typed must never reach the machine we are on. */
function isIn(address: string): string {
  return `[ "$(cat /etc/hostname)" = ${hostname(address)} ] && [ -d /srv/headwind.git ]`;
}

function hostname(address: string): string {
  return `hw${address.split('.').at(-1)}`;
}

function groupsOf(name: string): string[] {
  const above = existsSync('/sys/fs/cgroup/cgroup.procs')
    ? ['/sys/fs/cgroup']
    : ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'];
  return above.map((one) => `${one}/${name}`);
}

/** Each in control groups of its own, so that several systemd do not share one. */
async function boot(
  name: string,
  root: string,
  { folder, repository }: MachineOptions,
): Promise<ChildProcess> {
  const console = await open(path.join(folder, 'console'), 'a');
  const joining = groupsOf(name)
    .map((group) => `mkdir -p ${group} && echo $$ > ${group}/cgroup.procs;`)
    .join(' ');
  const args = [
    ...['-q', '-D', root, `--machine=${name}`, '--register=no', '--keep-unit', '--boot'],
    ...['--network-bridge=br0', '--resolv-conf=off', `--bind-ro=${repository}:/srv/headwind.git`],
  ];
  const machine = spawn('sh', ['-c', `${joining} exec systemd-nspawn "$@"`, 'sh', ...args], {
    stdio: ['ignore', console.fd, console.fd],
  });
  await console.close();
  return machine;
}

async function isUp(machine: ChildProcess, address: string): Promise<boolean> {
  const lines = 'systemctl is-system-running | grep -qE "running|degraded"; hostname -I';
  const { said } = await runIn(machine, `set -e\n${lines}`);
  return said.includes(address);
}

async function runIn(
  machine: ChildProcess | undefined,
  lines: string,
): Promise<{ code: number; said: string }> {
  const init = machine && initOf(machine);
  if (init === undefined) return { code: 1, said: 'it is not there' };
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C.UTF-8',
  };
  const inside = ['-t', String(init), '-m', '-u', '-i', '-n', '-p', '-C'];
  const shell = spawn('nsenter', [...inside, 'bash', '-c', `cd /root; exec 2>&1; ${lines}`], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said, [code]] = await Promise.all([
    text(shell.stdout),
    once(shell, 'exit') as Promise<[number | null]>,
  ]);
  return { code: code ?? 1, said };
}

/** The first process of the machine, by its number here. */
function initOf({ pid }: ChildProcess): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? undefined : Number(children.split(' ')[0]);
  } catch {
    return undefined;
  }
}
