import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';

/** Starts a process that opens the API's log and runs the code; `messages` returns the logged messages. */
function aProcess(t: ExecutionContext, code: string, stdout: number | 'pipe' = 'pipe') {
  const log = new URL('../../../api/server/log.ts', import.meta.url).href;
  const script = `import { openLog } from '${log}'; const log = openLog('info'); ${code}`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'ignore'] });
  t.teardown(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const messages = () =>
    printed
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { child, messages };
}

test('an error and all lines before it are written before a kill -9 right after it', async (t) => {
  const { child, messages } = aProcess(
    t,
    `log.info('one'); log.error('two'); process.kill(process.pid, 'SIGKILL');`,
  );
  await once(child, 'close');
  t.deepEqual(messages(), ['one', 'two']);
});

test('waiting lines are written when the process ends or crashes', async (t) => {
  const ending = aProcess(t, `log.info('one'); process.exit(0);`);
  const running = aProcess(t, `log.info('one');`);
  const crashing = aProcess(t, `log.info('one'); setTimeout(() => { throw new Error(); });`);
  await Promise.all([ending, running, crashing].map(({ child }) => once(child, 'close')));
  t.deepEqual(ending.messages(), ['one']);
  t.deepEqual(running.messages(), ['one']);
  t.deepEqual(crashing.messages(), ['one']);
});

test('a single line is written after a short wait', async (t) => {
  const { messages } = aProcess(t, `log.info('one'); setInterval(() => undefined, 1000);`);
  for (let tries = 0; tries < 2_400 && messages().length === 0; tries++) await sleep(50);
  t.deepEqual(messages(), ['one']);
});

test('a process continues and ends normally when the disk of its log is full', async (t) => {
  const full = openSync('/dev/full', 'w');
  const code = `log.info('one'); setTimeout(() => { log.error('two'); process.exit(7); }, 300);`;
  const [exitCode] = (await once(aProcess(t, code, full).child, 'close')) as [number];
  t.is(exitCode, 7);
});
