/**
 * Runs AVA with the arguments given, and closes with the slowest files and the one line `N passed, N failed`. The files
 * share what is made once for a run: a lender of Redis servers, a folder of fixtures, and Node's cache of compiled code.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lendRedis } from './helpers/redis-lender.ts';
import { EMPTY_TALLY, slowest, verdict } from './helpers/tally.ts';
import type { Tally } from './helpers/tally.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AVA = join(ROOT, 'node_modules/ava/entrypoints/cli.js');

let tally: Tally = EMPTY_TALLY;

const folder = await mkdtemp(join(tmpdir(), 'hw-run-'));
const lender = await lendRedis(join(folder, 'redis'));
const ava = spawn(process.execPath, [AVA, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    // Types are stripped and code is compiled once, not in each of some thousand processes.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/headwind-node'),
    ...process.env,
    TEST_RUN_DIR: folder,
  },
});
ava.on('message', (message) => {
  tally = message as Tally;
});
// `close` comes after the last message; an interrupt reaches AVA too, which reports and ends.
ava.on('close', (code) => void close(code));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => ava.kill('SIGTERM'));

async function close(code: number | null): Promise<void> {
  await lender.close();
  await rm(folder, { recursive: true, force: true });
  const { line, exitCode } = verdict(tally, code);
  console.log([...slowest(tally.files, ROOT), line].join('\n'));
  process.exitCode = exitCode;
}
