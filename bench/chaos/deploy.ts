/**
 * `make chaos PART=deploy MINUTES=10`: three empty Debians in a network of their own are set up by the commands of
 * docs/deploy.md, word for word; then each part is killed once under calls, of which none may be wrong, and none fail but
 * within five seconds of a kill. What the dashboard asks of Prometheus has to show the same.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { expressions } from '../alerts/expressions.ts';
import {
  lackForMachines,
  leaveMachine,
  makeDebian,
  makeWorld,
  OUTSIDE,
  startMachine,
  throughWorld,
  type Machine,
} from '../stage/machines.ts';
import { startSwift, type SwiftStage } from '../stage/swift.ts';
import { callScores, type Scored } from './deploy-callers.ts';
import { inSeconds } from './callers.ts';
import { countArgument } from './options.ts';

type World = { one: Machine; two: Machine; watch: Machine; swift: SwiftStage };
type Harm = { at: number; name: string };

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'docs/deploy.md');
const CLONED = 'https://example.com/headwind.git';
const WITHIN_MS = 5_000;
/** Longer than an alert waits for a machine that is gone. */
const GONE_MS = 80_000;
/** Longer than sentinels take to say that there is another primary. */
const PRIMARY_GONE_MS = 12_000;
/** Of Prometheus: between two looks, and what a panel takes a rate over. */
const [LOOK_S, RATE_S] = [15, 60];

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
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { alerts } = JSON.parse(body) as {
        alerts: { status: string; labels: { alertname: string } }[];
      };
      for (const { status, labels } of alerts) {
        const of = fired.get(labels.alertname) ?? new Set();
        fired.set(labels.alertname, of.add(status));
      }
      response.end();
    });
  }).listen(9_099, OUTSIDE);
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
  const page = await readFile(PAGE, 'utf8');
  const several = blocksBelow(page, '### On 192.0.2.11 and 192.0.2.12');
  const [first = '', , last = ''] = several;
  const started = performance.now();
  await Promise.all([
    one.run(typed([first, last])),
    two.run(typed(several)),
    watch.run(typed(blocksBelow(page, '### On 192.0.2.13'))),
  ]);
  const [, wrapper = '', begin = ''] = blocksBelow(page, '## One machine');
  const said = await one.run(typed([wrapper, begin]));
  await two.run(typed([wrapper]));
  const [apiKey] = /hw_live_\w+/.exec(said) ?? [];
  if (apiKey === undefined) throw new Error(`no key was made: ${said}`);
  console.log(`set up after ${inSeconds(performance.now() - started)} s`);
  return apiKey;
}

/** What stands in the fenced blocks of a part of the page. */
function blocksBelow(page: string, heading: string): string[] {
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [part = ''] = after.split(/\n#{2,3} /);
  return [...part.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** As typed there, but for where the code comes from and where alerts go. */
function typed(blocks: string[]): string {
  const lines = blocks.join('\n').replaceAll(CLONED, '/srv/headwind.git');
  const receiver = `sed -i s/127.0.0.1:9099/${OUTSIDE}:9099/ /etc/prometheus/alertmanager.yml`;
  return `set -e\n${lines.replace(/^(cp \S+alertmanager.yml .*)$/m, `$1\n${receiver}`)}`;
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
  fired: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<number> {
  const address = `${world.watch.address}:8443`;
  const from = Date.now();
  const all = Object.entries(harms(world));
  const callers = await callScores(address, apiKey);
  const until = from + given.minutes * 60_000;
  const done: Harm[] = [];
  const line = progressLine('deploy', process.stderr);
  for (const [index, [name, harm]] of all.entries()) {
    await sleep(Math.max(WITHIN_MS, (until - Date.now()) / (all.length - index + 1)));
    done.push({ at: Date.now(), name });
    await harm();
    line.show({ done: index + 1, total: all.length, what: `${callers.answers.length} calls` });
  }
  await sleep(Math.max(GONE_MS, until - Date.now()));
  line.end();
  const answers = await callers.stop();
  const counted = Number(
    await world.watch
      .run(
        `redis-cli -h $(redis-cli -p 26379 sentinel get-master-addr-by-name headwind | head -1) --raw eval "local n = 0; for _, key in ipairs(redis.call('keys', 'hw:usage:*:month:*')) do n = n + tonumber(redis.call('get', key) or 0) end; return n" 0`,
      )
      .catch(() => Number.NaN),
  );
  const isCalled = tellCalls(answers, done, counted);
  const isShown = await tellSeries(world, done, { from, until: Date.now() });
  const alerts = [...fired].map(([name, states]) => `${name} (${[...states].join(', ')})`);
  console.log(`alerts that came: ${alerts.join(', ') || 'none'}`);
  return isCalled && isShown && (fired.get('HeadwindApiDown')?.has('resolved') ?? false) ? 0 : 1;
}

/** What callers got after each kill. */
function tellCalls(answers: readonly Scored[], done: readonly Harm[], counted: number): boolean {
  let isHeld = true;
  for (const [index, { at, name }] of done.entries()) {
    const next = done[index + 1]?.at ?? Infinity;
    const failed = answers.filter((one) => one.at >= at && one.at < next && one.status !== 200);
    const last = Math.max(0, ...failed.map((one) => one.at - at));
    const statuses = Object.entries(Object.groupBy(failed, ({ status }) => String(status)));
    const told = statuses.map(([status, of]) => `${of?.length} ${status}`).join(', ');
    if (last > WITHIN_MS) isHeld = false;
    console.log(
      `${name}: ${failed.length === 0 ? 'no call failed' : `${told}, the last after ${inSeconds(last)} s`}`,
    );
  }
  const before = answers.filter((one) => one.status !== 200 && one.at < (done[0]?.at ?? 0)).length;
  const wrong = answers.filter((one) => one.isWrong).length;
  const good = answers.filter((one) => one.status === 200).length;
  console.log(
    `${good} of ${answers.length} calls answered, ${wrong} of them wrong, ${counted} counted`,
  );
  return isHeld && wrong === 0 && before === 0;
}

/** What the dashboard shows of that time: each panel has something, and errors only where calls failed. */
async function tellSeries(
  { watch }: World,
  done: readonly Harm[],
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const ask = async (panel: string) => {
    const query = panel.replaceAll('$__rate_interval', `${RATE_S}s`);
    const range = { start: String(from / 1_000), end: String(until / 1_000), step: String(LOOK_S) };
    const words = new URLSearchParams({ query, ...range });
    const answer = await fetch(`http://${watch.address}:9090/api/v1/query_range?${words}`);
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    };
    return data.result;
  };
  const { panels } = await expressions();
  const empty: string[] = [];
  for (const panel of panels) if ((await ask(panel)).length === 0) empty.push(panel);
  const errors = panels.find((panel) => panel.includes('or vector(0)')) ?? '';
  const shown = (await ask(errors)).flatMap(({ values }) =>
    values.filter(([, value]) => Number(value) > 0).map(([at]) => at * 1_000),
  );
  const lasts = WITHIN_MS + (RATE_S + 2 * LOOK_S) * 1_000;
  const strays = shown.filter((at) => !done.some((harm) => at >= harm.at && at <= harm.at + lasts));
  const after = done.filter((harm) => shown.some((at) => at >= harm.at && at <= harm.at + lasts));
  console.log(
    `dashboard: ${panels.length - empty.length} of ${panels.length} panels' series; errors shown after ${after.map(({ name }) => name).join(', ') || 'nothing'}, ${strays.length} elsewhere`,
  );
  for (const panel of empty) console.log(`  nothing for ${panel}`);
  const down = await ask('up == 0');
  for (const { metric, values } of down) {
    console.log(`  ${metric['instance']} was down for ${values.length * LOOK_S} s`);
  }
  return strays.length === 0 && down.length > 0;
}
