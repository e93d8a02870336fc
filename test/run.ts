/**
 * Runs AVA with the arguments given, and closes with the slowest files and the one line `N passed, N failed`. The files
 * share what is made once for a run: a lender of Redis servers, a folder of fixtures, packages of many files packed into few,
 * and Node's cache of compiled code.
 * Their temporary files lie in a folder of the run, in memory where there is room: the code under test waits for the disk
 * with each file it writes, and no test takes the power away.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages } from './helpers/packed.ts';
import { lendRedis } from './helpers/redis-lender.ts';
import { removeTogether, writeTogether } from './helpers/together.ts';
import { EMPTY_TALLY, slowest, verdict } from './helpers/tally.ts';
import type { Tally } from './helpers/tally.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AVA = join(ROOT, 'node_modules/ava/entrypoints/cli.js');
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4e9;

/** What every process of the run loads before its own code. */
const LOADED_FIRST = [
  `--require ${JSON.stringify(await packPackages(ROOT))}`,
  ...(process.env['NODE_V8_COVERAGE'] === undefined
    ? []
    : [`--import ${new URL('helpers/cover-threads.ts', import.meta.url).href}`]),
];

let tally: Tally = EMPTY_TALLY;

const folder = await mkdtemp(join((await roomyMemory()) ?? tmpdir(), 'hw-run-'));
const temporary = join(folder, 't');
await mkdir(temporary);
const lender = await lendRedis(join(folder, 'redis'));
const asked = process.argv.slice(2);
const files = asked.length > 0 ? [] : await writeTogether(ROOT);
const ava = spawn(process.execPath, [AVA, ...asked, ...files], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    // Types are stripped and code is compiled once, not in each of some thousand processes.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/headwind-node'),
    ...process.env,
    NODE_OPTIONS: [process.env['NODE_OPTIONS'], ...LOADED_FIRST].join(' '),
    TMPDIR: temporary,
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

/**
 * A file system in memory with room for all that the tests write at a time, unless TMPDIR asks for another; containers
 * tend to have 64 MB.
 */
async function roomyMemory(): Promise<string | undefined> {
  if (process.env['TMPDIR'] !== undefined) return undefined;
  const found = await statfs(MEMORY).catch(() => undefined);
  return found && found.bavail * found.bsize >= ROOM_BYTES ? MEMORY : undefined;
}

async function close(code: number | null): Promise<void> {
  await lender.close();
  await removeTogether(ROOT);
  // A process that a test has just killed may be writing still.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const { line, exitCode } = verdict(tally, code);
  console.log([...slowest(tally.files, ROOT), line].join('\n'));
  process.exitCode = exitCode;
}
