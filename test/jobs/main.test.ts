import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const MAIN = fileURLToPath(new URL('../../jobs/main.ts', import.meta.url));

function headwind(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('help names every command', (t) => {
  const { status, stdout } = headwind(['--help']);
  t.is(status, 0);
  const commands = ['run', 'serve', 'worker', 'ingest', 'features', 'publish', 'admin-key', 'key'];
  for (const command of [
    ...commands,
    'status',
    'sql',
    'rollback',
    'rebuild',
    'model',
    'model-pin',
  ]) {
    t.regex(stdout, new RegExp(`^  ${command} .*[a-z]`, 'm'));
  }
});

test('bad settings are printed without a stack trace', (t) => {
  t.deepEqual(headwind(['publish'], { PORT: 'http' }), {
    status: 1,
    stdout: '',
    stderr: 'Bad settings: PORT "http" is not a port (0 to 65535)\n',
  });
});

test('a DATA_DIR that is a file is an error without a stack trace, and status shows an empty folder and exits with 1', (t) => {
  const env = { DATA_DIR: MAIN, REDIS_URL: '' };
  const features = headwind(['features'], env);
  t.is(features.status, 1);
  t.regex(features.stderr, /^DATA_DIR \S+main\.ts cannot be used: \S+: not a directory[^\n]*\n$/);
  const status = headwind(['status'], env);
  t.is(status.status, 1);
  t.regex(status.stdout, /No months yet/);
  t.regex(status.stdout, /Queues +unknown, as Redis is unreachable: DATA_DIR \S+ cannot be used/);
});

test('an invalid year is refused', (t) => {
  const { status, stderr } = headwind(['ingest', '--year', '18', 'flights.csv']);
  t.is(status, 1);
  t.regex(stderr, /argument '18' is invalid\. Expected a year from 1987 to 2100\./);
});
