/**
 * Installs missing system packages with apt-get if this script can become root without a password. Options:
 * - `--required`: only packages that `make run` needs,
 * - `--tests`: also packages for the tests.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type SetupOptions = {
  /** Whether Redis runs elsewhere (`REDIS_URL`), so that no local Redis is needed. */
  hasRedisUrl: boolean;
  requiredOnly: boolean;
  /**
   * Tests need a browser for the pages, the programs that run the snippets of the docs, and the programs that analysts
   * use.
   */
  withTests?: boolean;
};

export type SetupEffects = {
  isRoot: () => boolean;
  hasCommand: (name: string) => boolean;
  hasLibrary: (fileName: string) => boolean;
  /** Whether Python has its whole standard library. Debian's python3-minimal has only a part of it. */
  hasPython: () => boolean;
  /** Whether a Python has pandas. */
  hasPandas: () => boolean;
  /** Runs a command without input and waits until it ends. */
  run: (command: string, args: string[]) => { ok: boolean; output: string };
  print: (line: string) => void;
};

export const REDIS = 'redis-server';
const XGBOOST = 'libxgboost0';
export const XGBOOST_LIBRARY = 'libxgboost.so.0';

/** Chromium without windows. It uses half the CPU time of the full browser. */
const CHROMIUM = 'chromium-headless-shell';
/** Chromium browsers, in the tests' order of preference. */
export const BROWSERS = [CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'];

const PYTHON = 'python3';
const CURL = 'curl';

const PANDAS = 'python3-pandas';
/** A spreadsheet program. Its command `ssconvert` converts files and needs no screen. */
const GNUMERIC = 'gnumeric';
export const SPREADSHEET = 'ssconvert';

const COMPLAINTS = {
  [REDIS]:
    'Error: redis-server is missing; keys, quota and queues are stored in Redis. Install it, or set REDIS_URL.',
  [XGBOOST]: 'Warning: libxgboost0 is missing; everything except training works.',
  [CHROMIUM]: 'Warning: chromium-headless-shell is missing; the tests of the pages are skipped.',
  [PYTHON]:
    'Warning: python3 or its standard library is missing; tests of the Python client are skipped.',
  [CURL]: 'Warning: curl is missing; tests of the curl examples are skipped.',
  [PANDAS]: 'Warning: python3-pandas is missing; a test of the snapshots is skipped.',
  [GNUMERIC]: 'Warning: gnumeric is missing; a test of the snapshots is skipped.',
};
type SystemPackage = keyof typeof COMPLAINTS;

// Headwind never uses a Redis on port 6379. With runlevel 1, Debian's package does not start such a Redis. Under
// systemd, the package starts it anyway, which is harmless.
const APT = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-q'];
const INSTALL = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60'];

/**
 * Installs missing packages. Returns exit code 1 if Redis is needed and still missing. For other missing packages, only
 * prints warnings.
 */
export function setUp(options: SetupOptions, effects: SetupEffects): number {
  const missing = missingPackages(options, effects);
  if (missing.length === 0) {
    return 0;
  }
  const problems = install(missing, effects);
  const stillMissing = missingPackages(options, effects);
  if (stillMissing.length > 0) {
    problems.forEach(effects.print);
    stillMissing.forEach((name) => effects.print(COMPLAINTS[name]));
    const names = stillMissing.join(' ');
    effects.print(`To install by hand: sudo apt-get update && sudo apt-get install -y ${names}`);
  }
  return stillMissing.includes(REDIS) ? 1 : 0;
}

function missingPackages(options: SetupOptions, effects: SetupEffects): SystemPackage[] {
  const missing: SystemPackage[] = [];
  if (!options.hasRedisUrl && !effects.hasCommand(REDIS)) {
    missing.push(REDIS);
  }
  if (!options.requiredOnly && !effects.hasLibrary(XGBOOST_LIBRARY)) {
    missing.push(XGBOOST);
  }
  return options.withTests === true ? [...missing, ...missingForTests(effects)] : missing;
}

function missingForTests({ hasCommand, hasPython, hasPandas }: SetupEffects): SystemPackage[] {
  const found: [SystemPackage, boolean][] = [
    [CHROMIUM, BROWSERS.some(hasCommand)],
    [PYTHON, hasPython()],
    [CURL, hasCommand(CURL)],
    [PANDAS, hasPandas()],
    [GNUMERIC, hasCommand(SPREADSHEET)],
  ];
  return found.flatMap(([name, isInstalled]) => (isInstalled ? [] : [name]));
}

/** Installs the packages one by one, so that an unknown package does not block the others. Returns the errors. */
function install(names: SystemPackage[], effects: SetupEffects): string[] {
  const asRoot = rootCommand(effects);
  if (!asRoot || !effects.hasCommand('apt-get')) {
    return [];
  }
  effects.print(`Installing ${names.join(' and ')} with apt-get…`);
  const apt = (args: string[]) => {
    const [command = '', ...rest] = [...asRoot, ...APT, ...args];
    return effects.run(command, rest);
  };
  return [apt(['update']), ...names.map((name) => apt([...INSTALL, name]))]
    .filter((outcome) => !outcome.ok)
    .map((outcome) => outcome.output.trim());
}

/** Returns the prefix that runs a command as root; `undefined` if a password would be needed. */
function rootCommand(effects: SetupEffects): string[] | undefined {
  if (effects.isRoot()) {
    return [];
  }
  const canSudo = effects.hasCommand('sudo') && effects.run('sudo', ['-n', 'true']).ok;
  return canSudo ? ['sudo', '-n'] : undefined;
}

/** Returns the functions that inspect and change this machine. Commands are searched in the folders of `path`. */
export function systemEffects(path: string): SetupEffects {
  return {
    isRoot: () => process.getuid?.() === 0,
    hasCommand: (name) => path.split(delimiter).some((folder) => isExecutable(join(folder, name))),
    hasLibrary: (fileName) => listedByLoader(fileName) || inLibraryFolder(fileName),
    hasPython,
    hasPandas: () => pythonWithPandas() !== undefined,
    run: (command, args) => {
      const { status, stdout, stderr, error } = spawnSync(command, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { ok: status === 0, output: error ? error.message : stderr || stdout };
    },
    print: (line) => console.error(line),
  };
}

/** Returns whether the installed Python has the modules that the Python client needs. */
export function hasPython(): boolean {
  const imports = 'import glob, json, urllib.request; from typing import NotRequired';
  return spawnSync(PYTHON, ['-c', imports]).status === 0;
}

/** Debian installs packages for its own Python, which may not be the first one in PATH. */
const PYTHONS = [PYTHON, '/usr/bin/python3'];

/** Returns the command of a Python that has pandas; undefined if there is none. */
export function pythonWithPandas(): string | undefined {
  return PYTHONS.find((python) => spawnSync(python, ['-c', 'import pandas']).status === 0);
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
  // ldconfig is in /sbin, which is not in the PATH of ordinary users.
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
