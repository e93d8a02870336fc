/** Runs AVA with the arguments given, and closes with the one line `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EMPTY_TALLY, verdict } from './helpers/tally.ts';
import type { Tally } from './helpers/tally.ts';

const AVA = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url));

let tally: Tally = EMPTY_TALLY;

const ava = spawn(process.execPath, [AVA, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
ava.on('message', (message) => {
  tally = message as Tally;
});
// `close` comes after the last message; an interrupt reaches AVA too, which reports and ends.
ava.on('close', (code) => {
  const { line, exitCode } = verdict(tally, code);
  console.log(line);
  process.exitCode = exitCode;
});
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => ava.kill('SIGTERM'));
