/**
 * Runs AVA with the given arguments, and ends with the slowest files, the failed tests and the line `N passed, N failed`. All files of a
 * run share a lender of Redis servers, a folder of fixtures, bundled packages, and Node's cache of compiled code.
 * Temporary files are in a folder of the run, in memory if there is enough. Files in memory are faster, because the
 * code under test waits for the disk after each file. They are safe, because no test simulates a loss of power.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePackages } from './helpers/packed.ts';
import { lendRedis } from './helpers/redis-lender.ts';
import { removeGroups, writeGroups } from './helpers/test-groups.ts';
import {
  closingVerdict,
  EMPTY_TALLY,
  formatFailures,
  formatSlowest,
  type Tally,
} from './helpers/tally.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AVA = join(ROOT, 'node_modules/ava/entrypoints/cli.js');
const MEMORY = '/dev/shm';
const FREE_BYTES_MIN = 4e9;

/** Options that make every process of the run load these files before its own code. */
const PRELOADS = [
  `--require ${JSON.stringify(await bundlePackages(ROOT))}`,
  ...(process.env['NODE_V8_COVERAGE'] === undefined
    ? []
    : [`--import ${new URL('helpers/cover-threads.ts', import.meta.url).href}`]),
];

let tally: Tally = EMPTY_TALLY;

const folder = await mkdtemp(join((await memoryFolder()) ?? tmpdir(), 'hw-run-'));
const temporary = join(folder, 't');
await mkdir(temporary);
const lender = await lendRedis(join(folder, 'redis'));
const args = process.argv.slice(2);
const files = args.length > 0 ? [] : await writeGroups(ROOT);
const ava = spawn(process.execPath, [AVA, ...args, ...files], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    // Strips types and compiles code once, instead of in each of some thousand processes.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/headwind-node'),
    ...process.env,
    NODE_OPTIONS: [process.env['NODE_OPTIONS'], ...PRELOADS].join(' '),
    TMPDIR: temporary,
    TEST_RUN_DIR: folder,
  },
});
ava.on('message', (message) => {
  tally = message as Tally;
});
// `close` comes after the last message. An interrupt reaches AVA too, which then reports and ends.
ava.on('close', (code) => void close(code));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => ava.kill('SIGTERM'));

/**
 * Returns the file system in memory if it has space for the files of a run, and TMPDIR is not set;
 * containers often have only 64 MB.
 */
async function memoryFolder(): Promise<string | undefined> {
  if (process.env['TMPDIR'] !== undefined) return undefined;
  const memoryStats = await statfs(MEMORY).catch(() => undefined);
  return memoryStats && memoryStats.bavail * memoryStats.bsize >= FREE_BYTES_MIN
    ? MEMORY
    : undefined;
}

async function close(code: number | null): Promise<void> {
  await lender.close();
  await removeGroups(ROOT);
  // A process that a test has just killed may still be writing.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const { line, exitCode } = closingVerdict(tally, code);
  console.log(
    [...formatSlowest(tally.files, ROOT), ...formatFailures(tally.failures, ROOT), line].join('\n'),
  );
  process.exitCode = exitCode;
}
