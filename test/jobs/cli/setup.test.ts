import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { setUp, systemEffects } from '../../../jobs/cli/setup.ts';
import type { SetupEffects } from '../../../jobs/cli/setup.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const EVERYTHING = { hasRedisUrl: false, requiredOnly: false };

type Machine = {
  isRoot?: boolean;
  /** What is there before: commands and library files. */
  has: string[];
  /** What apt-get install of a package brings; a package not named here is unknown to apt. */
  apt?: Record<string, string>;
  sudoAsks?: boolean;
};

function aMachine({ isRoot = true, has, apt = {}, sudoAsks = false }: Machine) {
  const present = new Set(has);
  const said: string[] = [];
  const ran: string[] = [];
  const effects: SetupEffects = {
    isRoot: () => isRoot,
    hasCommand: (name) => present.has(name),
    hasLibrary: (fileName) => present.has(fileName),
    hasPython: () => present.has('python3'),
    run: (command, args) => {
      const line = [command, ...args].join(' ');
      ran.push(line);
      if (line === 'sudo -n true') {
        return { ok: !sudoAsks, output: '' };
      }
      if (line.includes(' install ')) {
        const brings = apt[args.at(-1) ?? ''];
        if (brings === undefined) {
          return { ok: false, output: `E: Unable to locate package ${args.at(-1)}\n` };
        }
        present.add(brings);
      }
      return { ok: true, output: '' };
    },
    say: (line) => said.push(line),
  };
  return { effects, said, ran };
}

test('a complete machine is left alone, in silence', (t) => {
  const { effects, said, ran } = aMachine({ has: ['redis-server', 'libxgboost.so.0', 'apt-get'] });
  t.is(setUp(EVERYTHING, effects), 0);
  t.deepEqual(said, []);
  t.deepEqual(ran, []);
});

test('root installs what is missing, without a Redis of its own on 6379', (t) => {
  const { effects, said, ran } = aMachine({
    has: ['apt-get'],
    apt: { 'redis-server': 'redis-server', libxgboost0: 'libxgboost.so.0' },
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.deepEqual(said, ['Installing redis-server and libxgboost0 with apt-get…']);
  const apt = 'env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q';
  const install = `${apt} install -y --no-install-recommends -o DPkg::Lock::Timeout=60`;
  t.deepEqual(ran, [`${apt} update`, `${install} redis-server`, `${install} libxgboost0`]);
});

test('another user installs through sudo when it asks for no password', (t) => {
  const { effects, ran } = aMachine({
    isRoot: false,
    has: ['apt-get', 'sudo', 'libxgboost.so.0'],
    apt: { 'redis-server': 'redis-server' },
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.true(ran.at(-1)?.startsWith('sudo -n env DEBIAN_FRONTEND=noninteractive'));
});

test('without the right to install, Redis missing is an error that names the command', (t) => {
  const { effects, said, ran } = aMachine({
    isRoot: false,
    has: ['apt-get', 'sudo'],
    sudoAsks: true,
  });
  t.is(setUp(EVERYTHING, effects), 1);
  t.deepEqual(ran, ['sudo -n true']);
  t.deepEqual(said, [
    'Error: redis-server is missing; keys, quota and queues live in Redis. Install it, or set REDIS_URL.',
    'Warning: libxgboost0 is missing; everything but training works.',
    'To install by hand: sudo apt-get update && sudo apt-get install -y redis-server libxgboost0',
  ]);
});

test('without libxgboost0 in reach, Redis is installed all the same and setup succeeds', (t) => {
  const { effects, said } = aMachine({
    has: ['apt-get'],
    apt: { 'redis-server': 'redis-server' },
  });
  t.is(setUp(EVERYTHING, effects), 0);
  t.deepEqual(said, [
    'Installing redis-server and libxgboost0 with apt-get…',
    'E: Unable to locate package libxgboost0',
    'Warning: libxgboost0 is missing; everything but training works.',
    'To install by hand: sudo apt-get update && sudo apt-get install -y libxgboost0',
  ]);
});

test('a configured Redis address makes a local redis-server unnecessary', (t) => {
  const { effects, ran } = aMachine({ has: ['libxgboost.so.0', 'apt-get'] });
  t.is(setUp({ hasRedisUrl: true, requiredOnly: false }, effects), 0);
  t.deepEqual(ran, []);
});

test('looking for what is required passes over libxgboost', (t) => {
  const { effects, said, ran } = aMachine({ has: ['redis-server', 'apt-get'] });
  t.is(setUp({ hasRedisUrl: false, requiredOnly: true }, effects), 0);
  t.deepEqual([said, ran], [[], []]);
});

test('tests want a browser, any of its kind; without one they are skipped, and nothing fails', (t) => {
  const has = ['redis-server', 'libxgboost.so.0', 'apt-get', 'python3', 'curl'];
  const forTests = { ...EVERYTHING, withTests: true };
  const there = aMachine({ has: [...has, 'google-chrome'] });
  t.is(setUp(forTests, there.effects), 0);
  t.deepEqual(there.ran, []);
  const missing = aMachine({ has, apt: { 'chromium-headless-shell': 'chromium-headless-shell' } });
  t.is(setUp(forTests, missing.effects), 0);
  t.true(missing.ran.at(-1)?.endsWith(' chromium-headless-shell'));
  const unknown = aMachine({ has });
  t.is(setUp(forTests, unknown.effects), 0);
  t.true(unknown.said.some((line) => line.includes('the tests of the pages are skipped')));
});

test('tests want what snippets are written for', (t) => {
  const { effects, ran, said } = aMachine({
    has: ['redis-server', 'libxgboost.so.0', 'apt-get', 'chromium'],
    apt: { curl: 'curl' },
  });
  t.is(setUp({ ...EVERYTHING, withTests: true }, effects), 0);
  t.deepEqual(
    ran.slice(1).map((line) => line.split(' ').at(-1)),
    ['python3', 'curl'],
  );
  t.true(said.some((line) => line.includes('the client in Python is not tried')));
  t.false(said.some((line) => line.includes('calls with it are not tried')));
});

test('programs are looked for in the path given, libraries where the loader finds them', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'redis-server'), '', { mode: 0o755 });
  await writeFile(join(folder, 'chromium'), '', { mode: 0o644 });
  const { hasCommand, hasLibrary, isRoot } = systemEffects(['/nowhere', folder].join(delimiter));
  t.true(hasCommand('redis-server'));
  t.false(hasCommand('chromium'), 'not to be run');
  t.false(hasCommand('google-chrome'));
  t.true(hasLibrary('libc.so.6'));
  t.false(hasLibrary('libnone.so.6'));
  t.is(isRoot(), process.getuid?.() === 0);
});

test('of a command that fails is told what it complained about, of one that is not there why', (t) => {
  const { run } = systemEffects('');
  const sh = (code: string) => run('/bin/sh', ['-c', code]);
  t.deepEqual(sh('echo done'), { ok: true, output: 'done\n' });
  t.deepEqual(sh('echo so far; echo no space >&2; exit 3'), { ok: false, output: 'no space\n' });
  const missing = run('/nowhere/apt-get', []);
  t.false(missing.ok);
  t.regex(missing.output, /ENOENT/);
});
