/** `make chaos PART="pipeline quota"`: runs the parts named, or all, and says of each whether its promise held. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import Table from 'cli-table3';
import { Command } from 'commander';

type Part = {
  /** As docs/reliability.md has it. */
  promise: string;
  /** What is asked for without more words; `ROUNDS=`, `SECONDS=` and `MINUTES=` take the place of the values. */
  args: readonly string[];
};

const PARTS: Record<string, Part> = {
  pipeline: {
    promise: 'a pipeline killed anywhere ends like one that was not',
    args: ['--rounds', '100'],
  },
  undo: {
    promise: 'a drop or a restore killed anywhere loses nothing and leaves nothing in between',
    args: ['--rounds', '60'],
  },
  readers: {
    promise: 'tools that have the read copy open hold up no night, and read one night whole',
    args: ['--rounds', '20'],
  },
  quota: {
    promise: 'a key is never given one call more than it has',
    args: ['--rounds', '50'],
  },
  failover: {
    promise: 'a primary that is lost costs no acknowledged key and five seconds at most',
    args: ['--rounds', '6'],
  },
  replicas: {
    promise: 'no call fails while replicas restart, stores move and keys rotate',
    args: ['--rounds', '5'],
  },
  hosts: {
    promise: 'a worker host that vanishes or is cut off costs a back-fill nothing but time',
    args: ['--rounds', '3'],
  },
  clock: {
    promise: 'no clock and no end of a month gives a key a call too many',
    args: ['--rounds', '5'],
  },
  outage: {
    promise: 'after Redis was away calls, schedules and jobs go on',
    args: ['--seconds', '6,60'],
  },
  storage: {
    promise: 'machines that share a lake lose no month that was acknowledged',
    args: ['--rounds', '50'],
  },
  memory: {
    promise: 'a worker that is kept to little memory costs no call, and its job ends or says why',
    args: [],
  },
  deploy: {
    promise: 'machines set up as docs/deploy.md has it lose any part for five seconds at most',
    args: ['--minutes', '10'],
  },
  soak: {
    promise: 'memory and descriptors stay flat',
    args: ['--minutes', '60'],
  },
};

const program = new Command('chaos')
  .argument('[parts...]', Object.keys(PARTS).join(', '))
  .option('--rounds <count>', 'rounds of each part that has them')
  .option('--seconds <list>', 'of `outage`, how long Redis is away, with commas')
  .option('--minutes <count>', 'of `deploy` and `soak`');
program.parse();
const asked = program.args;
const options = program.opts<Record<string, string | undefined>>();
const unknown = asked.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  program.error(`No part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`);
}

const table = new Table({ head: ['part', 'promise', ''], style: { head: [], border: [] } });
for (const [name, { promise, args }] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`${name}: ${promise}`);
  const isHeld = await run(name, args);
  if (!isHeld) process.exitCode = 1;
  table.push([name, promise, isHeld ? 'held' : 'NOT HELD']);
}
console.log(table.toString());

async function run(name: string, args: readonly string[]): Promise<boolean> {
  const given = args.map((word, at) => options[(args[at - 1] ?? '').slice(2)] ?? word);
  const file = path.join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [file, ...given], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
