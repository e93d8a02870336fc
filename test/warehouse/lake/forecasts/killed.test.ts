import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { addDays } from '../../../../warehouse/ground/dates.ts';
import { listNights, readHead } from '../../../../warehouse/lake/forecasts/nights.ts';
import { verifyNights } from '../../../../warehouse/lake/forecasts/verify-nights.ts';
import { aFolder } from '../../../helpers/flight-files.ts';

const CHILD = fileURLToPath(new URL('../helpers/append-child.ts', import.meta.url));
/** Milliseconds from the first night of a process to its kill. */
const KILLS = [0, 1, 2, 3, 5, 8, 13];

/** Freezes nights in another process from this night on, and kills it. Returns the last night that it reported. */
async function appendUntilKilled(lakeDir: string, from: string, afterMs: number): Promise<string> {
  const child = spawn(process.execPath, [CHILD, lakeDir, from], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  const lines = createInterface(child.stdout).on('line', (line) => (last = line));
  await once(lines, 'line');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  return last;
}

test('a process that is killed at any moment leaves one chain with every reported night', async (t) => {
  const lakeDir = await aFolder(t);
  let night = '2026-01-01';
  for (const afterMs of KILLS) {
    const last = await appendUntilKilled(lakeDir, night, afterMs);
    t.deepEqual((await verifyNights(lakeDir)).damaged, []);
    const nights = await listNights(lakeDir);
    t.true(nights.includes(last), `${last} was reported`);
    night = addDays(nights.at(-1) ?? last, 1);
  }
  await appendUntilKilled(lakeDir, night, 0);
  const { nights } = await readHead(lakeDir);
  const days = nights.map((link) => link.night);
  t.true(days.length > KILLS.length);
  t.deepEqual(
    days,
    days.map((_, at) => addDays('2026-01-01', at)),
    'no night is missing',
  );
  const unfinished = (await readdir(path.join(lakeDir, 'forecasts'))).filter((name) =>
    name.startsWith('.'),
  );
  t.true(unfinished.length <= 1, 'the next run removes what a killed one left');
});
