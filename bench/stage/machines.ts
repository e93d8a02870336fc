import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackages } from './debian-packages.ts';
import { NET, OWN_ADDRESS } from './machines-net.ts';

/** A booted Debian with its own systemd, disk and address. */
export type Machine = {
  address: string;
  /**
   * Runs the lines in a root shell of the machine and returns their output. If a line fails, throws an error that
   * contains the output.
   */
  run: (lines: string) => Promise<string>;
  /** Ends the machine at once, like a loss of power. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
};

export type MachineOptions = {
  /** Last number of the machine's address in the network of docs/deploy.md. */
  number: number;
  /** Folder of the machine's disk. An existing disk is used again. */
  folder: string;
  /** Folder of the empty Debian. */
  debian: string;
  /** The repository that the machine sees as `/srv/headwind.git`. */
  repository: string;
};

const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const BOOT_TIMEOUT_MS = 60_000;
/** Time for the other processes of the machine to end after its first process has ended. */
const ENDING_MS = 500;
const REQUIRED_TOOLS = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  iptables: 'iptables',
};

/**
 * Returns a sentence about what is missing to boot machines; undefined if nothing is missing. Installs missing
 * packages.
 */
export function findMachineProblem(): string | undefined {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return 'needs root on Linux';
  const isInstalled = (tool: string) => spawnSync('which', [tool]).status === 0;
  const missing = Object.entries(REQUIRED_TOOLS).flatMap(([tool, packet]) =>
    isInstalled(tool) ? [] : [packet],
  );
  if (missing.length === 0) return undefined;
  installPackages(...missing);
  const lacking = Object.keys(REQUIRED_TOOLS).filter((tool) => !isInstalled(tool));
  return lacking.length === 0 ? undefined : `missing: ${lacking.join(', ')}`;
}

/**
 * Makes an empty Debian in the folder, unless the folder has one. Copies this machine's own certificate authorities
 * into the Debian.
 */
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

/** Boots a machine in the current network. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { number, folder } = options;
  const address = `${NET}.${number}`;
  const root = await makeDisk(options, address);
  const name = `hw-${process.pid}-${number}`;
  let machine: ChildProcess | undefined;
  const start = async () => {
    machine = await boot(name, root, options);
    const until = Date.now() + BOOT_TIMEOUT_MS;
    while (!(await isUp(machine, address))) {
      if (Date.now() > until) throw new Error(`${address} did not boot; see ${folder}/console`);
      await sleep(200);
    }
  };
  await start();
  return {
    address,
    run: async (lines) => {
      const { code, output } = await runInside(
        machine,
        `${isMachineCheck(address)} || exit 97\n${lines}`,
      );
      if (code !== 0) throw new Error(`exit code ${code} on ${address}: ${output.slice(-2_000)}`);
      return output;
    },
    kill: async () => {
      if (!machine || machine.exitCode !== null || machine.signalCode !== null) return;
      const exit = once(machine, 'exit');
      const init = findInit(machine);
      if (init !== undefined) process.kill(init, 'SIGKILL');
      machine.kill('SIGKILL');
      await exit;
      await sleep(ENDING_MS);
      for (const group of controlGroups(name)) {
        spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'], {
          stdio: 'ignore',
        });
      }
    },
    start,
  };
}

/** Unmounts the disk of a stopped machine; its content stays. */
export function unmountMachine(folder: string): void {
  spawnSync('umount', ['-l', path.join(folder, 'root')], { stdio: 'ignore' });
}

/** Mounts the machine's disk as an overlay, so that the empty Debian stays unchanged. */
async function makeDisk({ folder, debian }: MachineOptions, address: string): Promise<string> {
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => path.join(folder, name));
  for (const dir of [upper, work, root]) await mkdir(dir ?? '', { recursive: true });
  const layers = `lowerdir=${debian},upperdir=${upper},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root ?? '']);
  const at = (name: string) => path.join(root ?? '', 'etc', name);
  await mkdir(at('systemd/network'), { recursive: true });
  const network = `[Match]\nName=host0\n[Network]\nAddress=${address}/24\nGateway=${OWN_ADDRESS}\n`;
  await writeFile(at('systemd/network/10-host0.network'), network);
  await writeFile(at('hostname'), `${hostname(address)}\n`);
  await copyFile('/etc/resolv.conf', at('resolv.conf'));
  await writeFile(at('apt/apt.conf.d/80-retries'), 'Acquire::Retries "5";\n');
  const wantsDir = at('systemd/system/multi-user.target.wants');
  await mkdir(wantsDir, { recursive: true });
  const unit = 'systemd-networkd.service';
  await symlink(`/lib/systemd/system/${unit}`, path.join(wantsDir, unit)).catch(() => undefined);
  return root ?? '';
}

/**
 * Returns a shell condition that is true only inside the simulated machine. The condition protects the real machine, on
 * which the commands must never run.
 */
function isMachineCheck(address: string): string {
  return `[ "$(cat /etc/hostname)" = ${hostname(address)} ] && [ -d /srv/headwind.git ]`;
}

function hostname(address: string): string {
  return `hw${address.split('.').at(-1)}`;
}

function controlGroups(name: string): string[] {
  const parents = existsSync('/sys/fs/cgroup/cgroup.procs')
    ? ['/sys/fs/cgroup']
    : ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'];
  return parents.map((parent) => `${parent}/${name}`);
}

/** Boots the machine in separate control groups, so that several systemd processes do not share a group. */
async function boot(
  name: string,
  root: string,
  { folder, repository }: MachineOptions,
): Promise<ChildProcess> {
  const console = await open(path.join(folder, 'console'), 'a');
  const joinGroups = controlGroups(name)
    .map((group) => `mkdir -p ${group} && echo $$ > ${group}/cgroup.procs;`)
    .join(' ');
  const args = [
    ...['-q', '-D', root, `--machine=${name}`, '--register=no', '--keep-unit', '--boot'],
    ...['--network-bridge=br0', '--resolv-conf=off', `--bind-ro=${repository}:/srv/headwind.git`],
  ];
  const machine = spawn('sh', ['-c', `${joinGroups} exec systemd-nspawn "$@"`, 'sh', ...args], {
    stdio: ['ignore', console.fd, console.fd],
  });
  await console.close();
  return machine;
}

async function isUp(machine: ChildProcess, address: string): Promise<boolean> {
  const lines = 'systemctl is-system-running | grep -qE "running|degraded"; hostname -I';
  const { output } = await runInside(machine, `set -e\n${lines}`);
  return output.includes(address);
}

async function runInside(
  machine: ChildProcess | undefined,
  lines: string,
): Promise<{ code: number; output: string }> {
  const init = machine && findInit(machine);
  if (init === undefined) return { code: 1, output: 'the machine does not run' };
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
  const [output, [code]] = await Promise.all([
    text(shell.stdout),
    once(shell, 'exit') as Promise<[number | null]>,
  ]);
  return { code: code ?? 1, output };
}

/** Returns the process number of the simulated machine's first process, as seen on this machine. */
function findInit({ pid }: ChildProcess): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? undefined : Number(children.split(' ')[0]);
  } catch {
    return undefined;
  }
}
