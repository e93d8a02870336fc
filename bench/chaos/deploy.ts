/**
 * `make chaos PART=deploy MINUTES=10`: three empty Debians in a network of their own are set up by the commands of
 * docs/deploy.md, word for word; then each part is killed once under calls, of which none may be wrong, and none fail but
 * within five seconds of a kill. What the dashboard asks of Prometheus has to show the same.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import {
  lackForMachines,
  leaveMachine,
  makeDebian,
  startMachine,
  type Machine,
} from '../stage/machines.ts';
import { makeWorld, OUTSIDE, throughWorld } from '../stage/machines-net.ts';
import { startAlertHook } from '../stage/alert-hook.ts';
import { startSwift, type SwiftStage } from '../stage/swift.ts';
import { callScores } from './deploy-callers.ts';
import { deployPage } from './deploy-page.ts';
import { tellCalls, tellSeries, WITHIN_MS, type HarmDone } from './deploy-verdict.ts';
import { inSeconds } from './callers.ts';
import { countArgument } from './options.ts';

/** Machines that are found again keep what is installed, and begin anew with the rest. */
const IS_THERE = 'test -e /usr/local/bin/headwind && echo yes || echo no';
const EMPTIED =
  'systemctl stop headwind-worker headwind-api headwind-api.socket; rm -rf /var/lib/headwind/*';
const PRIMARY =
  'redis-cli -h $(redis-cli -p 26379 sentinel get-master-addr-by-name headwind | head -1) --raw';
const FLUSHED = `sleep 10; ${PRIMARY} flushall`;
const SUM = `local n = 0 for _, k in ipairs(redis.call('keys', 'hw:usage:*:????-??')) do n = n + redis.call('get', k) end return n`;
const COUNTED = `${PRIMARY} eval "${SUM}" 0`;
const STARTED = 'systemctl start headwind-worker headwind-api.socket headwind-api';
const LIMIT = '--limit 10000000';

type World = { one: Machine; two: Machine; watch: Machine; swift: SwiftStage };

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Longer than an alert waits for a machine that is gone. */
const GONE_MS = 80_000;
/** What is told of a machine that is gone, and how soon after it is back that this is over. */
const TOLD = 'HeadwindApiDown';
const ALERT_ENDS_MS = 300_000;
/** An alert fires, and is resolved. */
const STATES = 2;
/** Longer than sentinels take to say that there is another primary. */
const PRIMARY_GONE_MS = 12_000;

const program = new Command('chaos-deploy')
  .description('see that what docs/deploy.md sets up loses any part')
  .option('--minutes <count>', 'how long there are calls', countArgument, 10)
  .option('--folder <folder>', 'where the machines are, and found again')
  .option('--inside', 'for itself: the network is there');
const given = program.parse().opts<{ minutes: number; folder?: string; inside?: true }>();

const lack = lackForMachines();
if (lack !== undefined) console.error(`${lack}: left out`);
else if (given.inside) process.exitCode = await inWorld(given.folder ?? '');
else process.exitCode = await withWorld();

/** Goes on as another process that sees the network of the machines in place of ours. */
async function withWorld(): Promise<number> {
  const folder = given.folder ?? (await mkdtemp(path.join(tmpdir(), 'hw-deploy-')));
  const name = `hwd${process.pid}`;
  await mkdir(folder, { recursive: true });
  await makeDebian(path.join(folder, 'debian'));
  await rm(path.join(folder, 'headwind.git'), { recursive: true, force: true });
  execFileSync('git', ['clone', '-q', '--bare', ROOT, path.join(folder, 'headwind.git')]);
  const leave = makeWorld(name);
  try {
    const [tool = '', ...before] = throughWorld(name);
    const own = [import.meta.filename, '--inside', '--folder', folder];
    const args = [...before, process.execPath, ...own, '--minutes', String(given.minutes)];
    const [code] = (await once(spawn(tool, args, { stdio: 'inherit' }), 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    leave();
    if (given.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function inWorld(folder: string): Promise<number> {
  const swift = await startSwift({ address: OUTSIDE, port: 8080 });
  await swift.makeBucket('headwind');
  const places = [11, 12, 13].map((number) => ({ number, folder: path.join(folder, `${number}`) }));
  const machines: Machine[] = [];
  const fired = new Map<string, Set<string>>();
  const hook = startAlertHook({ port: 9_099, host: OUTSIDE }, (alerts) => {
    for (const { status, labels } of alerts) {
      const of = fired.get(labels.alertname) ?? new Set();
      fired.set(labels.alertname, of.add(status));
    }
  });
  try {
    for (const place of places) {
      const repository = path.join(folder, 'headwind.git');
      machines.push(
        await startMachine({ ...place, debian: path.join(folder, 'debian'), repository }),
      );
    }
    const [one, two, watch] = machines as [Machine, Machine, Machine];
    const world = { one, two, watch, swift };
    const apiKey = await setUp(world);
    return await hurtAll(world, apiKey, fired);
  } finally {
    hook.close();
    hook.closeAllConnections();
    await Promise.all(machines.map((machine) => machine.kill()));
    for (const place of places) leaveMachine(place.folder);
    await swift.close();
  }
}

/** Does what docs/deploy.md says; gives the key it ends with. */
async function setUp({ one, two, watch }: World): Promise<string> {
  const page = await deployPage();
  const started = performance.now();
  if ((await one.run(IS_THERE)).includes('yes')) {
    await Promise.all([one.run(EMPTIED), two.run(EMPTIED)]);
    await watch.run(FLUSHED);
    await Promise.all([one.run(STARTED), two.run(STARTED)]);
  } else {
    await Promise.all([one.run(page.one), two.run(page.two), watch.run(page.watch)]);
    await two.run(page.wrapper);
    await one.run(page.wrapper);
  }
  await one.run(page.begin);
  const said = await one.run(
    `headwind key --name Chaos --email chaos@headwind.example --live ${LIMIT}`,
  );
  const [apiKey] = /hw_live_\w+/.exec(said) ?? [];
  if (apiKey === undefined) throw new Error(`no key was made: ${said}`);
  console.log(`set up after ${inSeconds(performance.now() - started)} s`);
  return apiKey;
}

/** By name, in order: does it, and gives when it is over. */
function harms({ one, two, watch, swift }: World): Record<string, () => Promise<void>> {
  const killed = (machine: Machine, unit: string) => async () => {
    await machine.run(`systemctl kill -s KILL ${unit}`);
  };
  const primary = async () => {
    const said = await watch.run('redis-cli -p 26379 sentinel get-master-addr-by-name headwind');
    return said.startsWith(one.address) ? one : two;
  };
  return {
    'an API': killed(one, 'headwind-api'),
    'the other API': killed(two, 'headwind-api'),
    'a worker': killed(two, 'headwind-worker'),
    'Redis, which comes back at once': async () => killed(await primary(), 'redis-server')(),
    'Redis, which stays away': async () => {
      const machine = await primary();
      await machine.run('systemctl mask --runtime redis-server');
      await killed(machine, 'redis-server')();
      await sleep(PRIMARY_GONE_MS);
      await machine.run('systemctl unmask --runtime redis-server; systemctl start redis-server');
    },
    'a sentinel': killed(watch, 'redis-sentinel'),
    'object storage': async () => {
      await swift.restart();
      await two.run('headwind publish');
    },
    'the proxy': killed(watch, 'haproxy'),
    Prometheus: killed(watch, 'prometheus'),
    Alertmanager: killed(watch, 'prometheus-alertmanager'),
    'a machine': async () => {
      await two.kill();
      await sleep(GONE_MS);
      await two.start();
    },
  };
}

async function hurtAll(
  world: World,
  apiKey: string,
  fired: Map<string, ReadonlySet<string>>,
): Promise<number> {
  const address = `${world.watch.address}:8443`;
  const all = Object.entries(harms(world));
  const callers = await callScores(address, apiKey);
  fired.clear();
  const from = Date.now();
  const until = from + given.minutes * 60_000;
  const done: HarmDone[] = [];
  const line = progressLine('deploy', process.stderr);
  for (const [index, [name, harm]] of all.entries()) {
    await sleep(Math.max(WITHIN_MS, (until - Date.now()) / (all.length - index + 1)));
    done.push({ at: Date.now(), name });
    await harm();
    line.show({ done: index + 1, total: all.length, what: `${callers.answers.length} calls` });
  }
  await sleep(Math.max(GONE_MS, until - Date.now()));
  const isToldOfEnd = await within(ALERT_ENDS_MS, () => fired.get(TOLD)?.size === STATES);
  line.end();
  const answers = await callers.stop();
  const counted = Number(await world.watch.run(COUNTED).catch(() => Number.NaN));
  const isCalled = tellCalls(answers, done, counted);
  const isShown = await tellSeries(world.watch.address, answers, done, { from, until: Date.now() });
  const alerts = [...fired].map(([name, states]) => `${name} (${[...states].join(', ')})`);
  console.log(`alerts that came: ${alerts.join(', ') || 'none'}`);
  if (!isToldOfEnd) console.log(`${TOLD} did not come and end`);
  return isCalled && isShown && isToldOfEnd ? 0 : 1;
}

async function within(ms: number, isSo: () => boolean): Promise<boolean> {
  const until = Date.now() + ms;
  while (!isSo() && Date.now() < until) await sleep(500);
  return isSo();
}
