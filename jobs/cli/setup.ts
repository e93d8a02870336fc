/** Looks for the system packages and installs what is missing where it may. `--required`: only what `make run` needs; `--tests`: what tests need, too. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type SetupOptions = {
  /** Redis runs elsewhere, so none is needed here. */
  hasRedisUrl: boolean;
  requiredOnly: boolean;
  /** Tests need a browser for the pages, and what the snippets of the docs are written for. */
  withTests?: boolean;
};

export type SetupEffects = {
  isRoot: () => boolean;
  hasCommand: (name: string) => boolean;
  hasLibrary: (fileName: string) => boolean;
  /** Python with its library: Debian's python3-minimal has a fraction of it. */
  hasPython: () => boolean;
  /** Runs a command to its end; it cannot ask anything. */
  run: (command: string, args: string[]) => { ok: boolean; output: string };
  say: (line: string) => void;
};

export const REDIS = 'redis-server';
const XGBOOST = 'libxgboost0';
export const XGBOOST_LIBRARY = 'libxgboost.so.0';

/** Chromium without windows, which takes half the CPU of one that could open some. */
const CHROMIUM = 'chromium-headless-shell';
/** Browsers of Chromium's kind, in the order in which the tests would rather have them. */
export const BROWSERS = [CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'];

const PYTHON = 'python3';
const CURL = 'curl';

const COMPLAINTS = {
  [REDIS]:
    'Error: redis-server is missing; keys, quota and queues live in Redis. Install it, or set REDIS_URL.',
  [XGBOOST]: 'Warning: libxgboost0 is missing; everything but training works.',
  [CHROMIUM]: 'Warning: chromium-headless-shell is missing; the tests of the pages are skipped.',
  [PYTHON]: 'Warning: python3 or its library is missing; the client in Python is not tried.',
  [CURL]: 'Warning: curl is missing; calls with it are not tried.',
};
type SystemPackage = keyof typeof COMPLAINTS;

// Runlevel 1 keeps Debian's package from starting a Redis of its own on 6379, which we never use.
// Under systemd it starts one all the same: harmless, and not ours to stop.
const APT = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-q'];
const INSTALL = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60'];

/** Returns the exit code: 1 when Redis is needed and still missing; a missing libxgboost is only a warning. */
export function setUp(options: SetupOptions, effects: SetupEffects): number {
  const wanted = missingPackages(options, effects);
  if (wanted.length === 0) {
    return 0;
  }
  const problems = install(wanted, effects);
  const left = missingPackages(options, effects);
  if (left.length > 0) {
    problems.forEach(effects.say);
    left.forEach((name) => effects.say(COMPLAINTS[name]));
    const names = left.join(' ');
    effects.say(`To install by hand: sudo apt-get update && sudo apt-get install -y ${names}`);
  }
  return left.includes(REDIS) ? 1 : 0;
}

function missingPackages(options: SetupOptions, effects: SetupEffects): SystemPackage[] {
  const missing: SystemPackage[] = [];
  if (!options.hasRedisUrl && !effects.hasCommand(REDIS)) {
    missing.push(REDIS);
  }
  if (!options.requiredOnly && !effects.hasLibrary(XGBOOST_LIBRARY)) {
    missing.push(XGBOOST);
  }
  if (options.withTests === true && !BROWSERS.some(effects.hasCommand)) {
    missing.push(CHROMIUM);
  }
  if (options.withTests === true && !effects.hasPython()) {
    missing.push(PYTHON);
  }
  if (options.withTests === true && !effects.hasCommand(CURL)) {
    missing.push(CURL);
  }
  return missing;
}

/** Installs one by one, so that a package this system does not know costs only itself. Returns what went wrong. */
function install(names: SystemPackage[], effects: SetupEffects): string[] {
  const asRoot = wayToRoot(effects);
  if (!asRoot || !effects.hasCommand('apt-get')) {
    return [];
  }
  effects.say(`Installing ${names.join(' and ')} with apt-get…`);
  const apt = (args: string[]) => {
    const [command = '', ...rest] = [...asRoot, ...APT, ...args];
    return effects.run(command, rest);
  };
  return [apt(['update']), ...names.map((name) => apt([...INSTALL, name]))]
    .filter((outcome) => !outcome.ok)
    .map((outcome) => outcome.output.trim());
}

/** What to put before a command to run it as root; `undefined` when a password would be asked. */
function wayToRoot(effects: SetupEffects): string[] | undefined {
  if (effects.isRoot()) {
    return [];
  }
  const canSudo = effects.hasCommand('sudo') && effects.run('sudo', ['-n', 'true']).ok;
  return canSudo ? ['sudo', '-n'] : undefined;
}

/** What this machine has and lets us do; programs are looked for in that PATH. */
export function systemEffects(path: string): SetupEffects {
  return {
    isRoot: () => process.getuid?.() === 0,
    hasCommand: (name) => path.split(delimiter).some((folder) => isExecutable(join(folder, name))),
    hasLibrary: (fileName) => listedByLoader(fileName) || inLibraryFolder(fileName),
    hasPython,
    run: (command, args) => {
      const { status, stdout, stderr, error } = spawnSync(command, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { ok: status === 0, output: error ? error.message : stderr || stdout };
    },
    say: (line) => console.error(line),
  };
}

/** Whether there is a Python that can do what the client in it does. */
export function hasPython(): boolean {
  const needed = 'import glob, json, urllib.request; from typing import NotRequired';
  return spawnSync(PYTHON, ['-c', needed]).status === 0;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function listedByLoader(fileName: string): boolean {
  // /sbin is where ldconfig lives, and not on the path of an ordinary user.
  const { stdout } = spawnSync('ldconfig', ['-p'], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' },
  });
  return (stdout ?? '').includes(fileName);
}

function inLibraryFolder(fileName: string): boolean {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  return ['/usr/local/lib', '/usr/lib', '/usr/lib64', join('/usr/lib', triplet)].some((folder) =>
    existsSync(join(folder, fileName)),
  );
}

if (import.meta.main) {
  process.exitCode = setUp(
    {
      hasRedisUrl: Boolean(process.env.REDIS_URL),
      requiredOnly: process.argv.includes('--required'),
      withTests: process.argv.includes('--tests'),
    },
    systemEffects(process.env.PATH ?? ''),
  );
}
