/**
 * `make chaos PART="pipeline quota"`: runs the named parts, or all parts, and prints for each part whether its promise
 * was kept.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import Table from 'cli-table3';
import { Command } from 'commander';

type Part = {
  /** The promise of docs/reliability.md. */
  promise: string;
  /** Default arguments; `ROUNDS=`, `SECONDS=` and `MINUTES=` replace the values. */
  args: readonly string[];
};

const PARTS: Record<string, Part> = {
  pipeline: {
    promise: 'a pipeline killed anywhere ends with the same result as one that was not killed',
    args: ['--rounds', '100'],
  },
  undo: {
    promise:
      'a drop or a restore killed anywhere loses no version and leaves its former or new state',
    args: ['--rounds', '60'],
  },
  readers: {
    promise:
      'tools that read the copy of the warehouse delay no nightly run, and each sees the data of one run',
    args: ['--rounds', '20'],
  },
  quota: {
    promise: 'a key never gets more calls than its limit, even if Redis is killed',
    args: ['--rounds', '50'],
  },
  watches: {
    promise: 'each change of a watched flight reaches each receiver once, in order',
    args: ['--rounds', '5'],
  },
  failover: {
    promise: 'a lost primary costs no acknowledged key, and stops calls for less than 5 s',
    args: ['--rounds', '6'],
  },
  replicas: {
    promise: 'no call fails while replicas restart, stores change and keys rotate',
    args: ['--rounds', '5'],
  },
  hosts: {
    promise: 'a worker host that vanishes or is cut off costs a backfill only time',
    args: ['--rounds', '3'],
  },
  clock: {
    promise: 'neither a jumping clock nor the end of a month lets a key exceed its limit',
    args: ['--rounds', '5'],
  },
  outage: {
    promise: 'after an outage of Redis, calls, schedules and jobs continue',
    args: ['--seconds', '6,60'],
  },
  storage: {
    promise: 'machines that share a lake lose no acknowledged month',
    args: ['--rounds', '50'],
  },
  disk: {
    promise:
      'a disk that fills up during any step costs no flight, key or counted call, and status reports it',
    args: ['--rounds', '20'],
  },
  keys: {
    promise:
      'if Redis loses its data, returns with old data or refuses writes, status reports it, and nothing is lost after the repair',
    args: ['--rounds', '20'],
  },
  download: {
    promise: 'servers that misbehave in any way cost a backfill only time',
    args: ['--rounds', '20'],
  },
  memory: {
    promise:
      'a worker with little memory makes no call fail, and its job succeeds or reports why it failed',
    args: [],
  },
  deploy: {
    promise:
      'machines set up by docs/deploy.md give no wrong answer when a part is lost, and calls fail for 5 s at most',
    args: ['--minutes', '10'],
  },
  soak: {
    promise:
      'in the last third of an hour, memory grows by at most 10 % and file descriptors by at most 4',
    args: ['--minutes', '60'],
  },
};

const program = new Command('chaos')
  .argument('[parts...]', Object.keys(PARTS).join(', '))
  .option('--rounds <count>', 'rounds of each part that has rounds')
  .option('--seconds <list>', 'durations of the outages in `outage`, separated by commas')
  .option('--minutes <count>', 'duration of `deploy` and `soak`');
program.parse();
const partNames = program.args;
const options = program.opts<Record<string, string | undefined>>();
const unknown = partNames.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  program.error(
    `unknown part: ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`,
  );
}

const table = new Table({ head: ['part', 'promise', ''], style: { head: [], border: [] } });
for (const [name, { promise, args }] of Object.entries(PARTS)) {
  if (partNames.length > 0 && !partNames.includes(name)) continue;
  console.log(`${name}: ${promise}`);
  const isFulfilled = await run(name, args);
  if (!isFulfilled) process.exitCode = 1;
  table.push([name, promise, isFulfilled ? 'kept' : 'NOT KEPT']);
}
console.log(table.toString());

async function run(name: string, args: readonly string[]): Promise<boolean> {
  const partArgs = args.map((word, at) => options[(args[at - 1] ?? '').slice(2)] ?? word);
  const file = path.join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [file, ...partArgs], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
