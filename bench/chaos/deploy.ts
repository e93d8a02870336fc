/**
 * `make chaos PART=deploy MINUTES=10`: sets up three empty Debians in one network by the exact commands of
 * docs/deploy.md. Then kills each part once while calls arrive. No answer may be wrong, and calls may fail only within
 * five seconds of a kill. The dashboard must show errors only from kills.
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
  findMachineProblem,
  unmountMachine,
  makeDebian,
  startMachine,
  type Machine,
} from '../stage/machines.ts';
import { makeMachineNetwork, OWN_ADDRESS, networkPrefix } from '../stage/machines-net.ts';
import { startAlertHook } from '../stage/alert-hook.ts';
import { startSwift, type SwiftStage } from '../stage/swift.ts';
import { callScores } from './deploy-callers.ts';
import { readDeployCommands } from './deploy-page.ts';
import { judgeCalls, judgeSeries, FAILURES_END_MS, type Kill } from './deploy-verdict.ts';
import { inSeconds } from './callers.ts';
import { countArgument } from './options.ts';

/**
 * Command that prints whether an earlier run has installed this machine. If so, the machine keeps its packages but
 * loses its data.
 */
const IS_INSTALLED = 'test -e /usr/local/bin/headwind && echo yes || echo no';
const EMPTY_MACHINE =
  'systemctl stop headwind-worker headwind-api headwind-api.socket; rm -rf /var/lib/headwind/*';
const PRIMARY =
  'redis-cli -h $(redis-cli -p 26379 sentinel get-master-addr-by-name headwind | head -1) --raw';
const FLUSH_REDIS = `sleep 10; ${PRIMARY} flushall`;
const SUM = `local n = 0 for _, k in ipairs(redis.call('keys', 'hw:usage:*:????-??')) do n = n + redis.call('get', k) end return n`;
const COUNT_CALLS = `${PRIMARY} eval "${SUM}" 0`;
const START_SERVICES = 'systemctl start headwind-worker headwind-api.socket headwind-api';
const LIMIT = '--limit 10000000';

type World = { one: Machine; two: Machine; watch: Machine; swift: SwiftStage };

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Time for which a machine is down. It is long enough to fire the alert for a missing machine. */
const MACHINE_DOWN_MS = 80_000;
/** The alert for a missing machine, and the time within which it must clear after the machine's return. */
const MACHINE_ALERT = 'HeadwindApiDown';
const ALERT_ENDS_MS = 300_000;
/** Number of messages about an alert that has fired and cleared: firing and resolved. */
const ALERT_STATES = 2;
/** Time for which the Redis primary is down. It is longer than sentinels need to elect another primary. */
const PRIMARY_DOWN_MS = 12_000;

const program = new Command('chaos-deploy')
  .description('check that machines set up by docs/deploy.md survive the loss of any part')
  .option('--minutes <count>', 'duration of the calls', countArgument, 10)
  .option('--folder <folder>', 'folder of the machines, which a later run can use again')
  .option('--inside', 'internal: the network already exists');
const cliOptions = program.parse().opts<{ minutes: number; folder?: string; inside?: true }>();

const problem = findMachineProblem();
if (problem !== undefined) console.error(`deploy is left out: ${problem}`);
else if (cliOptions.inside) process.exitCode = await runWithMachines(cliOptions.folder ?? '');
else process.exitCode = await runInNewNetwork();

/** Runs this part again in a child process inside the network of the machines. */
async function runInNewNetwork(): Promise<number> {
  const folder = cliOptions.folder ?? (await mkdtemp(path.join(tmpdir(), 'hw-deploy-')));
  const name = `hwd${process.pid}`;
  await mkdir(folder, { recursive: true });
  await makeDebian(path.join(folder, 'debian'));
  await rm(path.join(folder, 'headwind.git'), { recursive: true, force: true });
  execFileSync('git', ['clone', '-q', '--bare', ROOT, path.join(folder, 'headwind.git')]);
  const leave = makeMachineNetwork(name);
  try {
    const [tool = '', ...before] = networkPrefix(name);
    const own = [import.meta.filename, '--inside', '--folder', folder];
    const args = [...before, process.execPath, ...own, '--minutes', String(cliOptions.minutes)];
    const [code] = (await once(spawn(tool, args, { stdio: 'inherit' }), 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    leave();
    if (cliOptions.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function runWithMachines(folder: string): Promise<number> {
  const swift = await startSwift({ address: OWN_ADDRESS, port: 8080 });
  await swift.makeBucket('headwind');
  const places = [11, 12, 13].map((number) => ({ number, folder: path.join(folder, `${number}`) }));
  const machines: Machine[] = [];
  const fired = new Map<string, Set<string>>();
  const hook = startAlertHook({ port: 9_099, host: OWN_ADDRESS }, (alerts) => {
    for (const { status, labels } of alerts) {
      const states = fired.get(labels.alertname) ?? new Set();
      fired.set(labels.alertname, states.add(status));
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
    return await killEachPart(world, apiKey, fired);
  } finally {
    hook.close();
    hook.closeAllConnections();
    await Promise.all(machines.map((machine) => machine.kill()));
    for (const place of places) unmountMachine(place.folder);
    await swift.close();
  }
}

/** Runs the commands of docs/deploy.md; returns a new API key. */
async function setUp({ one, two, watch }: World): Promise<string> {
  const page = await readDeployCommands();
  const startedAt = performance.now();
  if ((await one.run(IS_INSTALLED)).includes('yes')) {
    await Promise.all([one.run(EMPTY_MACHINE), two.run(EMPTY_MACHINE)]);
    await watch.run(FLUSH_REDIS);
    await Promise.all([one.run(START_SERVICES), two.run(START_SERVICES)]);
  } else {
    await Promise.all([one.run(page.one), two.run(page.two), watch.run(page.watch)]);
    await two.run(page.wrapper);
    await one.run(page.wrapper);
  }
  await one.run(page.begin);
  const output = await one.run(
    `headwind key --name Chaos --email chaos@headwind.example --live ${LIMIT}`,
  );
  const [apiKey] = /hw_live_\w+/.exec(output) ?? [];
  if (apiKey === undefined) throw new Error(`no key was created: ${output}`);
  console.log(`set up after ${inSeconds(performance.now() - startedAt)} s`);
  return apiKey;
}

/** Returns the harms by name, in order. A harm kills one part; its promise resolves when the harm is over. */
function harms({ one, two, watch, swift }: World): Record<string, () => Promise<void>> {
  const killed = (machine: Machine, unit: string) => async () => {
    await machine.run(`systemctl kill -s KILL ${unit}`);
  };
  const primary = async () => {
    const output = await watch.run('redis-cli -p 26379 sentinel get-master-addr-by-name headwind');
    return output.startsWith(one.address) ? one : two;
  };
  return {
    'an API': killed(one, 'headwind-api'),
    'the other API': killed(two, 'headwind-api'),
    'a worker': killed(two, 'headwind-worker'),
    'Redis, which its unit starts again at once': async () =>
      killed(await primary(), 'redis-server')(),
    'Redis, which stays down': async () => {
      const machine = await primary();
      await machine.run('systemctl mask --runtime redis-server');
      await killed(machine, 'redis-server')();
      await sleep(PRIMARY_DOWN_MS);
      await machine.run('systemctl unmask --runtime redis-server; systemctl start redis-server');
    },
    'a sentinel': killed(watch, 'redis-sentinel'),
    'object storage': async () => {
      await swift.restart();
      await two.run('headwind publish');
    },
    HAProxy: killed(watch, 'haproxy'),
    Prometheus: killed(watch, 'prometheus'),
    Alertmanager: killed(watch, 'prometheus-alertmanager'),
    'a whole machine': async () => {
      await two.kill();
      await sleep(MACHINE_DOWN_MS);
      await two.start();
    },
  };
}

async function killEachPart(
  world: World,
  apiKey: string,
  fired: Map<string, ReadonlySet<string>>,
): Promise<number> {
  const address = `${world.watch.address}:8443`;
  const all = Object.entries(harms(world));
  const callers = await callScores(address, apiKey);
  fired.clear();
  const from = Date.now();
  const until = from + cliOptions.minutes * 60_000;
  const done: Kill[] = [];
  const line = progressLine('deploy', process.stderr);
  for (const [index, [name, harm]] of all.entries()) {
    await sleep(Math.max(FAILURES_END_MS, (until - Date.now()) / (all.length - index + 1)));
    done.push({ at: Date.now(), name });
    await harm();
    line.show({ done: index + 1, total: all.length, what: `${callers.answers.length} calls` });
  }
  await sleep(Math.max(MACHINE_DOWN_MS, until - Date.now()));
  const hasAlertEnded = await waitUntil(
    ALERT_ENDS_MS,
    () => fired.get(MACHINE_ALERT)?.size === ALERT_STATES,
  );
  line.end();
  const answers = await callers.stop();
  const counted = Number(await world.watch.run(COUNT_CALLS).catch(() => Number.NaN));
  const isCalled = judgeCalls(answers, done, counted);
  const isShown = await judgeSeries(world.watch.address, answers, done, {
    from,
    until: Date.now(),
  });
  const alerts = [...fired].map(([name, states]) => `${name} (${[...states].join(', ')})`);
  console.log(`alerts received: ${alerts.join(', ') || 'none'}`);
  if (!hasAlertEnded) {
    console.log(`the alert ${MACHINE_ALERT} did not fire, or did not clear afterwards`);
  }
  return isCalled && isShown && hasAlertEnded ? 0 : 1;
}

async function waitUntil(ms: number, isSo: () => boolean): Promise<boolean> {
  const until = Date.now() + ms;
  while (!isSo() && Date.now() < until) await sleep(500);
  return isSo();
}
