/** `make chaos PART=quota ROUNDS=50`: more calls at once than a rotated key and the one before it have left, also with Redis killed in between. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { redisKeys } from '../../warehouse/keyring/layout.ts';
import { createKeyOffice } from '../../warehouse/keyring/office.ts';
import { quotaMonth } from '../../warehouse/keyring/month.ts';
import { randomFrom } from '../generate/random.ts';
import { startTrial, type TrialService } from '../trial-service.ts';
import { countArgument } from './options.ts';

const APIS = 2;
const CONNECTIONS = 8;
const CALLS = 1_000;
const LIMIT = 1_000;
const LEFT = 100;
const GRACE_MS = 3_600_000;
const CALL_DEADLINE_MS = 20_000;
const CALM_TRIES = 5;

/** How often each status was answered. */
type Tally = Record<number, number>;

type Round = {
  answers: Tally;
  /** Calls of the month that Redis has in the end. */
  counted: number;
};

const program = new Command('chaos-quota')
  .description('see that a key is never given one call more than it has, nor charged one twice')
  .option('--rounds <count>', 'how many times each', countArgument, 50)
  .option('--seed <number>', 'where the moments of the kills come from', countArgument, 1);
const { rounds, seed } = program.parse().opts<{ rounds: number; seed: number }>();

const service = await startTrial(APIS);
try {
  process.exitCode = await chaos();
} finally {
  await service.stop();
}

async function chaos(): Promise<number> {
  const random = randomFrom(`quota ${seed}`);
  const line = progressLine('quota', process.stderr);
  let [exact, withinLimit, hit, uncertain, durationMs] = [0, 0, 0, 0, 0];
  for (let round = 1; round <= rounds; round++) {
    const startedAt = performance.now();
    const calmProblems = await calmRound(service);
    durationMs = performance.now() - startedAt;
    const stormy = await stormyRound(service, random.next() * durationMs);
    const stormyProblems = problemsOfStormy(stormy);
    if (calmProblems.length === 0) exact += 1;
    if (stormyProblems.length === 0) withinLimit += 1;
    if ((stormy.answers[503] ?? 0) > 0) hit += 1;
    uncertain += stormy.counted - (LIMIT - LEFT) - (stormy.answers[200] ?? 0);
    const problems = [...calmProblems, ...stormyProblems];
    line.show({ done: round, total: rounds, what: problems.join('; ') || 'exact' });
    if (problems.length > 0) line.note(`round ${round}: ${problems.join('; ')}`);
  }
  line.end();
  console.log(
    `${exact} of ${rounds} rounds give exactly ${LEFT} of ${CALLS} calls on ${CONNECTIONS} connections to ${APIS} processes`,
  );
  console.log(
    `${withinLimit} of ${rounds} rounds with Redis killed give none too many; ` +
      `${hit} had calls refused meanwhile, ${uncertain} calls were counted and answered 503`,
  );
  return exact === rounds && withinLimit === rounds ? 0 : 1;
}

/**
 * The problems of a round in which Redis answers in time. Where the machine is too busy for that, some calls are refused;
 * such a round is held to the law of the stormy ones, and another is tried.
 */
async function calmRound(trial: TrialService): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const account = await anAccountWithCallsLeft(trial);
    const answers = await blast(trial.ports, account, CALLS);
    if (answers[503] === undefined || tries === CALM_TRIES) {
      return problemsOfCalm({ answers, counted: await countOf(trial.redis, account) });
    }
    const after = await blast(trial.ports, account, 2 * LEFT);
    const counted = await countOf(trial.redis, account);
    const problems = problemsOfStormy({ answers: sum(answers, after), counted });
    if (problems.length > 0) return problems;
  }
}

/** Kills Redis after that time, and goes on asking once it is back until nothing is left. */
async function stormyRound(trial: TrialService, killAfterMs: number): Promise<Round> {
  const account = await anAccountWithCallsLeft(trial);
  const [during] = await Promise.all([
    blast(trial.ports, account, CALLS),
    sleep(killAfterMs).then(trial.killRedis),
  ]);
  await trial.untilHealthy();
  const after = await blast(trial.ports, account, 2 * LEFT);
  return { answers: sum(during, after), counted: await countOf(trial.redis, account) };
}

function problemsOfCalm({ answers, counted }: Round): string[] {
  const isExact = answers[200] === LEFT && answers[429] === CALLS - LEFT && counted === LIMIT;
  return isExact ? [] : [`calm: ${JSON.stringify(answers)}, counted ${counted}`];
}

function problemsOfStormy({ answers, counted }: Round): string[] {
  const { 200: good = 0, 429: over = 0, 503: away = 0 } = answers;
  const isAnswered = good + over + away === CALLS + 2 * LEFT;
  // As many calls as were left had their answer or are counted, and never more.
  const isHeld = good <= LEFT && counted === LIMIT;
  return isAnswered && isHeld ? [] : [`killed: ${JSON.stringify(answers)}, counted ${counted}`];
}

/** An old key, and the one it was rotated to: both work, and what is counted of one is counted of both. */
type Account = [old: string, fresh: string];

async function anAccountWithCallsLeft({ keys, redis }: TrialService): Promise<Account> {
  const now = new Date();
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: LIMIT };
  const { apiKey, prefix } = await keys.create(owner, 'test', now);
  await keys.admit(apiKey, LIMIT - LEFT, now);
  const until = new Date(now.getTime() + GRACE_MS);
  const fresh = await createKeyOffice(redis).rotate(prefix, until, now);
  if (!fresh || 'refused' in fresh) throw new Error('the key was not rotated');
  return [apiKey, fresh.apiKey];
}

async function countOf(redis: TrialService['redis'], [apiKey]: Account): Promise<number> {
  const month = quotaMonth(new Date()).name;
  return Number(await redis.get(redisKeys.usage(hashKey(apiKey), month)));
}

/** All calls at once, half with each key: each connection sends its share without waiting for an answer. */
async function blast(ports: number[], account: Account, calls: number): Promise<Tally> {
  const shares = Array.from({ length: CONNECTIONS }, (_, at) => {
    const apiKey = account[at < CONNECTIONS / 2 ? 0 : 1];
    return sendTogether(ports[at % ports.length] ?? 0, apiKey, calls / CONNECTIONS);
  });
  return sum(...(await Promise.all(shares)));
}

async function sendTogether(port: number, apiKey: string, calls: number): Promise<Tally> {
  const date = new Date().toISOString().slice(0, 10);
  const path = `/api/score?origin=JFK&dest=LAX&airline=DL&date=${date}&api_key=${apiKey}`;
  const request = `GET ${path} HTTP/1.1\r\nHost: trial\r\n`;
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(CALL_DEADLINE_MS, () => socket.destroy(new Error('no answer in time')));
  socket.write(`${request}\r\n`.repeat(calls - 1) + `${request}Connection: close\r\n\r\n`);
  const answers: Tally = {};
  for (const [, status] of (await text(socket)).matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
    answers[Number(status)] = (answers[Number(status)] ?? 0) + 1;
  }
  return answers;
}

function sum(...tallies: Tally[]): Tally {
  const all: Tally = {};
  for (const [status, count] of tallies.flatMap((tally) => Object.entries(tally))) {
    all[Number(status)] = (all[Number(status)] ?? 0) + count;
  }
  return all;
}
