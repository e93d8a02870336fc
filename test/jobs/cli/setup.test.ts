import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { setUp, systemEffects, type SetupEffects } from '../../../jobs/cli/setup.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const EVERYTHING = { hasRedisUrl: false, requiredOnly: false };

type Machine = {
  isRoot?: boolean;
  /** Installed commands and library files. */
  has: string[];
  /** The command or library of each package that apt knows. */
  apt?: Record<string, string>;
  /** Whether sudo needs a password. */
  needsPassword?: boolean;
};

function aMachine({ isRoot = true, has, apt = {}, needsPassword = false }: Machine) {
  const installed = new Set(has);
  const messages: string[] = [];
  const commands: string[] = [];
  const effects: SetupEffects = {
    isRoot: () => isRoot,
    hasCommand: (name) => installed.has(name),
    hasLibrary: (fileName) => installed.has(fileName),
    hasPython: () => installed.has('python3'),
    hasPandas: () => installed.has('pandas'),
    run: (command, args) => {
      const line = [command, ...args].join(' ');
      commands.push(line);
      if (line === 'sudo -n true') {
        return { ok: !needsPassword, output: '' };
      }
      if (line.includes(' install ')) {
        const content = apt[args.at(-1) ?? ''];
        if (content === undefined) {
          return { ok: false, output: `E: Unable to locate package ${args.at(-1)}\n` };
        }
        installed.add(content);
      }
      return { ok: true, output: '' };
    },
    print: (line) => messages.push(line),
  };
  return { effects, messages, commands };
}

test('setup on a complete machine runs and prints nothing', (t) => {
  const { effects, messages, commands } = aMachine({
    has: ['redis-server', 'libxgboost.so.0', 'apt-get'],
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.deepEqual(messages, []);
  t.deepEqual(commands, []);
});

test('root installs missing packages, and the package does not start a Redis on 6379', (t) => {
  const { effects, messages, commands } = aMachine({
    has: ['apt-get'],
    apt: { 'redis-server': 'redis-server', libxgboost0: 'libxgboost.so.0' },
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.deepEqual(messages, ['Installing redis-server and libxgboost0 with apt-get…']);
  const apt = 'env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q';
  const install = `${apt} install -y --no-install-recommends -o DPkg::Lock::Timeout=60`;
  t.deepEqual(commands, [`${apt} update`, `${install} redis-server`, `${install} libxgboost0`]);
});

test('another user installs with sudo if sudo needs no password', (t) => {
  const { effects, commands } = aMachine({
    isRoot: false,
    has: ['apt-get', 'sudo', 'libxgboost.so.0'],
    apt: { 'redis-server': 'redis-server' },
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.true(commands.at(-1)?.startsWith('sudo -n env DEBIAN_FRONTEND=noninteractive'));
});

test('without the right to install packages, a missing Redis is an error that names the command', (t) => {
  const { effects, messages, commands } = aMachine({
    isRoot: false,
    has: ['apt-get', 'sudo'],
    needsPassword: true,
  });
  t.is(setUp(EVERYTHING, effects), 1);
  t.deepEqual(commands, ['sudo -n true']);
  t.deepEqual(messages, [
    'Error: redis-server is missing; keys, quota and queues are stored in Redis. Install it, or set REDIS_URL.',
    'Warning: libxgboost0 is missing; everything except training works.',
    'To install by hand: sudo apt-get update && sudo apt-get install -y redis-server libxgboost0',
  ]);
});

test('if libxgboost0 is not available, Redis is still installed and setup succeeds', (t) => {
  const { effects, messages } = aMachine({
    has: ['apt-get'],
    apt: { 'redis-server': 'redis-server' },
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.deepEqual(messages, [
    'Installing redis-server and libxgboost0 with apt-get…',
    'E: Unable to locate package libxgboost0',
    'Warning: libxgboost0 is missing; everything except training works.',
    'To install by hand: sudo apt-get update && sudo apt-get install -y libxgboost0',
  ]);
});

test('a configured Redis address makes a local redis-server unnecessary', (t) => {
  const { effects, commands } = aMachine({ has: ['libxgboost.so.0', 'apt-get'] });
  t.is(setUp({ hasRedisUrl: true, requiredOnly: false }, effects), 0);
  t.deepEqual(commands, []);
});

test('--required ignores a missing libxgboost', (t) => {
  const { effects, messages, commands } = aMachine({ has: ['redis-server', 'apt-get'] });
  t.is(setUp({ hasRedisUrl: false, requiredOnly: true }, effects), 0);
  t.deepEqual([messages, commands], [[], []]);
});

test('--tests needs any Chromium browser; without one the page tests are skipped and setup succeeds', (t) => {
  const programs = ['python3', 'curl', 'pandas', 'ssconvert'];
  const has = ['redis-server', 'libxgboost.so.0', 'apt-get', ...programs];
  const forTests = { ...EVERYTHING, withTests: true };
  const complete = aMachine({ has: [...has, 'google-chrome'] });
  t.is(setUp(forTests, complete.effects), 0);
  t.deepEqual(complete.commands, []);
  const missing = aMachine({ has, apt: { 'chromium-headless-shell': 'chromium-headless-shell' } });
  t.is(setUp(forTests, missing.effects), 0);
  t.true(missing.commands.at(-1)?.endsWith(' chromium-headless-shell'));
  const unknown = aMachine({ has });
  t.is(setUp(forTests, unknown.effects), 0);
  t.true(unknown.messages.some((line) => line.includes('the tests of the pages are skipped')));
});

test('--tests needs the programs that run the snippets of the docs and read the snapshots', (t) => {
  const { effects, commands, messages } = aMachine({
    has: ['redis-server', 'libxgboost.so.0', 'apt-get', 'chromium'],
    apt: { curl: 'curl', gnumeric: 'ssconvert' },
  });
  t.is(setUp({ ...EVERYTHING, withTests: true }, effects), 0);
  t.deepEqual(
    commands.slice(1).map((line) => line.split(' ').at(-1)),
    ['python3', 'curl', 'python3-pandas', 'gnumeric'],
  );
  t.true(messages.some((line) => line.includes('tests of the Python client are skipped')));
  t.false(messages.some((line) => line.includes('tests of the curl examples are skipped')));
  t.is(messages.filter((line) => line.includes('a test of the snapshots is skipped')).length, 1);
});

test('commands are searched in PATH, and libraries where the loader finds them', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'redis-server'), '', { mode: 0o755 });
  await writeFile(join(folder, 'chromium'), '', { mode: 0o644 });
  const { hasCommand, hasLibrary, isRoot } = systemEffects(['/nowhere', folder].join(delimiter));
  t.true(hasCommand('redis-server'));
  t.false(hasCommand('chromium'), 'not executable');
  t.false(hasCommand('google-chrome'));
  t.true(hasLibrary('libc.so.6'));
  t.false(hasLibrary('libnone.so.6'));
  t.is(isRoot(), process.getuid?.() === 0);
});

test('a failed command returns its error output, and a missing command the reason', (t) => {
  const { run } = systemEffects('');
  const sh = (code: string) => run('/bin/sh', ['-c', code]);
  t.deepEqual(sh('echo done'), { ok: true, output: 'done\n' });
  t.deepEqual(sh('echo so far; echo no space >&2; exit 3'), { ok: false, output: 'no space\n' });
  const missing = run('/nowhere/apt-get', []);
  t.false(missing.ok);
  t.regex(missing.output, /ENOENT/);
});
