import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import test from 'ava';

const MODULE = new URL('../../../warehouse/ground/priority.ts', import.meta.url).href;
const AUTOGROUP = '/proc/self/autogroup';

/** Runs code in a process that leads its own session, as workers do. Returns its output. */
async function runInSession(code: string): Promise<unknown> {
  const lines = `const os = await import('node:os');
    const { readFileSync } = await import('node:fs');
    const { lowerPriority, lowerThreadPriority } = await import('${MODULE}');
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', lines], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}

test('a process lowers its priority, and never raises it', async (t) => {
  const priorities = await runInSession(`
    const priorities = ['worker', 'background', 'worker'].map((kind) => {
      lowerPriority(kind);
      return os.getPriority();
    });
    console.log(JSON.stringify(priorities));`);
  const own = getPriority();
  t.deepEqual(
    priorities,
    [5, 10, 10].map((priority) => Math.max(own, priority)),
  );
});

(existsSync(AUTOGROUP) ? test : test.skip)(
  'a process that leads a session lowers its session too; a thread does not',
  async (t) => {
    const sessions = await runInSession(`
      const read = () => readFileSync('${AUTOGROUP}', 'utf8').trim().split(' ').at(-1);
      lowerThreadPriority();
      const before = read();
      // Linux refuses two changes of any sessions within 0.1 s, unless root makes them.
      const endMs = Date.now() + 10_000;
      while (read() === '0' && Date.now() < endMs) lowerPriority('background');
      const after = read();
      lowerPriority('worker');
      console.log(JSON.stringify([before, after, read()]));`);
    t.deepEqual(sessions, ['0', '10', '10']);
  },
);
