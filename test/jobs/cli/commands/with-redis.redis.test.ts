import { join } from 'node:path';
import test from 'ava';
import { startCommand, until } from '../../helpers/command.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const node = (script: string) => ['with-redis', process.execPath, '-e', script];

test('the command gets the address of a Redis that runs, and what it prints comes through', async (t) => {
  const dataDir = await tempDir(t);
  const script = 'console.log(process.env.REDIS_URL)';
  const command = startCommand(t, node(script), { DATA_DIR: dataDir });
  t.is(await command.end, 0);
  t.is(command.out(), `${join(dataDir, 'redis', 'redis.sock')}\n`);
});

test('the exit code of the command is passed on', async (t) => {
  const command = startCommand(t, node('process.exit(7)'), { DATA_DIR: await tempDir(t) });
  t.is(await command.end, 7);
});

test('a command ended by a signal gives 128 and its number', async (t) => {
  const script = 'process.kill(process.pid, "SIGKILL")';
  const command = startCommand(t, node(script), { DATA_DIR: await tempDir(t) });
  t.is(await command.end, 137);
});

test('a request to end is passed on, and the command says how it ends', async (t) => {
  const script = `process.on('SIGTERM', () => process.exit(5));
    setInterval(() => {}, 1000); console.log('up');`;
  const command = startCommand(t, node(script), { DATA_DIR: await tempDir(t) });
  await until('it is up', () => command.out() === 'up\n');
  command.process.kill('SIGTERM');
  t.is(await command.end, 5);
});

test('a program that is not there is an error in words', async (t) => {
  const command = startCommand(t, ['with-redis', 'no-such-program'], {
    DATA_DIR: await tempDir(t),
  });
  t.is(await command.end, 1);
  t.is(command.err(), 'no-such-program cannot be run: spawn no-such-program ENOENT\n');
});
