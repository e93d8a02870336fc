/**
 * `make chaos PART=quota ROUNDS=50`: sends more calls at once than a key and its rotated successor have left. Each
 * round sends the calls once without a kill, and once while Redis is killed.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { redisKeys } from '../../warehouse/keyring/layout.ts';
import { createKeyAdmin } from '../../warehouse/keyring/key-admin.ts';
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
const CALM_ATTEMPTS = 5;
const USE_UP_ATTEMPTS = 10;

/** Number of answers by status. */
type Tally = Record<number, number>;

type Round = {
  /** Number of calls sent. */
  sent: number;
  answers: Tally;
  /** Number of the month's calls that Redis has counted at the end of the round. */
  counted: number;
};

const program = new Command('chaos-quota')
  .description('check that a key never exceeds its limit and is never charged twice')
  .option('--rounds <count>', 'rounds of each kind', countArgument, 50)
  .option('--seed <number>', 'seed of the random moments of the kills', countArgument, 1);
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
  let [exactRounds, goodRounds, refusedRounds, uncertain, durationMs] = [0, 0, 0, 0, 0];
  for (let round = 1; round <= rounds; round++) {
    const startedAt = performance.now();
    const calmProblems = await calmRound(service);
    durationMs = performance.now() - startedAt;
    const stormy = await killedRound(service, random.next() * durationMs);
    const stormyProblems = checkKilled(stormy);
    if (calmProblems.length === 0) exactRounds += 1;
    if (stormyProblems.length === 0) goodRounds += 1;
    if ((stormy.answers[503] ?? 0) > 0) refusedRounds += 1;
    uncertain += stormy.counted - (LIMIT - LEFT) - (stormy.answers[200] ?? 0);
    const problems = [...calmProblems, ...stormyProblems];
    line.show({ done: round, total: rounds, what: problems.join('; ') || 'exact' });
    if (problems.length > 0) line.note(`round ${round}: ${problems.join('; ')}`);
  }
  line.end();
  console.log(
    `${exactRounds} of ${rounds} rounds allowed exactly ${LEFT} of ${CALLS} calls on ${CONNECTIONS} connections to ${APIS} processes`,
  );
  console.log(
    `${goodRounds} of ${rounds} rounds with Redis killed allowed no call too many; ` +
      `${refusedRounds} rounds had calls refused with 503, ${uncertain} of which were counted`,
  );
  return exactRounds === rounds && goodRounds === rounds ? 0 : 1;
}

/**
 * Returns the problems of a round in which Redis answers in time. If the machine is so busy that calls are refused,
 * judges the round like a round with a kill, and tries another round.
 */
async function calmRound(trial: TrialService): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const account = await createAccount(trial);
    const answers = await sendAll(trial.ports, account, CALLS);
    if (answers[503] === undefined || tries === CALM_ATTEMPTS) {
      return checkCalm({ sent: CALLS, answers, counted: await readCount(trial.redis, account) });
    }
    const problems = checkKilled(await useUp(trial, account, answers));
    if (problems.length > 0) return problems;
  }
}

/** Sends the calls of a round, and kills Redis after `killAfterMs`. */
async function killedRound(trial: TrialService, killAfterMs: number): Promise<Round> {
  const account = await createAccount(trial);
  const [during] = await Promise.all([
    sendAll(trial.ports, account, CALLS),
    sleep(killAfterMs).then(trial.killRedis),
  ]);
  return useUp(trial, account, during);
}

/**
 * Sends more calls than the key has left, until Redis has answered all of them. After a kill, a process may have
 * reported that it is healthy before it notices the kill. It then refuses calls with 503, and these calls are sent
 * again.
 */
async function useUp(trial: TrialService, account: Account, before: Tally): Promise<Round> {
  let [sent, answers] = [CALLS, before];
  for (let tries = 1; tries <= USE_UP_ATTEMPTS; tries++) {
    await trial.untilHealthy();
    const after = await sendAll(trial.ports, account, 2 * LEFT);
    [sent, answers] = [sent + 2 * LEFT, sum(answers, after)];
    if (after[503] === undefined) break;
  }
  return { sent, answers, counted: await readCount(trial.redis, account) };
}

function checkCalm({ answers, counted }: Round): string[] {
  const isExact = answers[200] === LEFT && answers[429] === CALLS - LEFT && counted === LIMIT;
  return isExact ? [] : [`calm: ${JSON.stringify(answers)}, counted ${counted}`];
}

function checkKilled({ sent, answers, counted }: Round): string[] {
  const { 200: good = 0, 429: over = 0, 503: unavailable = 0 } = answers;
  const isAnswered = good + over + unavailable === sent;
  // Redis must have counted exactly the calls that were left. The answers with status 200 may be fewer, but not more.
  const isHeld = good <= LEFT && counted === LIMIT;
  return isAnswered && isHeld ? [] : [`killed: ${JSON.stringify(answers)}, counted ${counted}`];
}

/** A key and its rotated successor; both work and share one count. */
type Account = [old: string, fresh: string];

async function createAccount({ keys, redis }: TrialService): Promise<Account> {
  const now = new Date();
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: LIMIT };
  const { apiKey, prefix } = await keys.create(owner, 'test', now);
  await keys.admit(apiKey, LIMIT - LEFT, now);
  const until = new Date(now.getTime() + GRACE_MS);
  const fresh = await createKeyAdmin(redis).rotate(prefix, until, now);
  if (!fresh || 'refusal' in fresh) throw new Error('the key was not rotated');
  return [apiKey, fresh.apiKey];
}

async function readCount(redis: TrialService['redis'], [apiKey]: Account): Promise<number> {
  const month = quotaMonth(new Date()).name;
  return Number(await redis.get(redisKeys.usage(hashKey(apiKey), month)));
}

/** Sends all calls at once, half of them with each key. Each connection sends its part without waiting for answers. */
async function sendAll(ports: number[], account: Account, calls: number): Promise<Tally> {
  const shares = Array.from({ length: CONNECTIONS }, (_, at) => {
    const apiKey = account[at < CONNECTIONS / 2 ? 0 : 1];
    return sendPipelined(ports[at % ports.length] ?? 0, apiKey, calls / CONNECTIONS);
  });
  return sum(...(await Promise.all(shares)));
}

async function sendPipelined(port: number, apiKey: string, calls: number): Promise<Tally> {
  const date = new Date().toISOString().slice(0, 10);
  const path = `/api/score?origin=JFK&dest=LAX&airline=DL&date=${date}&api_key=${apiKey}`;
  const request = `GET ${path} HTTP/1.1\r\nHost: trial\r\n`;
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(CALL_DEADLINE_MS, () =>
    socket.destroy(new Error(`no answer within ${CALL_DEADLINE_MS / 1_000} s`)),
  );
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
