/**
 * `make chaos PART=clock ROUNDS=5`: lets a month end while two API processes receive calls, and lets the clock of one
 * of them jump forward and back by hours, days and months.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { redisKeys } from '../../warehouse/keyring/layout.ts';
import { quotaMonth } from '../../warehouse/keyring/month.ts';
import { startApi, type ApiProcess } from '../stage/api-process.ts';
import { publishHistory } from '../trial-service.ts';
import { goodCount, unexpectedCount, startCallers } from './callers.ts';
import { countArgument } from './options.ts';
import { openPartStage } from './own-stage.ts';

const APIS = 2;
/** Monthly limit of the key. It is low enough to be used up before the month ends. */
const LIMIT = 200;
const BEFORE_END_MS = 3_000;
const AFTER_END_MS = 3_000;
const JUMP_MS = 500;
const DAY_MS = 86_400_000;
const JUMPS_MS: readonly number[] = [DAY_MS, -DAY_MS, 62 * DAY_MS, -62 * DAY_MS, 3_600_000, 0];

const program = new Command('chaos-clock')
  .description('check that a jumping clock never lets a key exceed its limit')
  .option('--rounds <count>', 'rounds of each kind', countArgument, 5);
const { rounds } = program.parse().opts<{ rounds: number }>();

const { folder, redis, url, close } = await openPartStage('clock');
const keys = createKeystore(redis, { deadlineMs: 10_000 });
const apis: ApiProcess[] = [];
const clocks = Array.from({ length: APIS }, (_, at) => path.join(folder, `clock-${at}`));
try {
  await publishHistory(folder, url);
  for (const [at, CLOCK_FILE] of clocks.entries()) {
    const NODE_OPTIONS = `--import=${new URL('../stage/shifted-clock.ts', import.meta.url).href}`;
    const DATA_DIR = path.join(folder, `api-${at}`);
    const settings = { REDIS_URL: url, DATA_DIR, LOG_LEVEL: 'error' };
    apis.push(await startApi({ ...settings, CLOCK_FILE, NODE_OPTIONS }));
  }
  await Promise.all(apis.map((api) => api.untilHealthy()));
  process.exitCode = await chaos();
} finally {
  await Promise.all(apis.map(({ stop }) => stop()));
  await close();
}

async function chaos(): Promise<number> {
  const line = progressLine('clock', process.stderr);
  let [ends, jumps] = [0, 0];
  for (let done = 1; done <= rounds; done += 1) {
    const endRound = await countCalls(passMonthEnd);
    if (endRound.isFulfilled && endRound.counts.length === 2) ends += 1;
    else line.note(`end of the month, round ${done}: ${endRound.text}`);
    const jumpRound = await countCalls(jumpClock);
    if (jumpRound.isFulfilled) jumps += 1;
    else line.note(`jumps, round ${done}: ${jumpRound.text}`);
    line.show({ done, total: rounds, what: jumpRound.text });
  }
  line.end();
  console.log(
    `${ends} of ${rounds} rounds with the end of a month allowed exactly ${LIMIT} calls in each of the two months; ` +
      `${jumps} of ${rounds} rounds of ${JUMPS_MS.length} jumps allowed no call too many in any month`,
  );
  return ends === rounds && jumps === rounds ? 0 : 1;
}

/** Moves both clocks past the end of this month. */
async function passMonthEnd(): Promise<void> {
  const shift = quotaMonth(new Date()).endsAt.getTime() - Date.now() - BEFORE_END_MS;
  await Promise.all(clocks.map((file) => writeFile(file, String(shift))));
  await sleep(BEFORE_END_MS + AFTER_END_MS);
}

/** Moves the clock of one API forward and back. */
async function jumpClock(): Promise<void> {
  for (const jump of JUMPS_MS) {
    await writeFile(clocks[0] ?? '', String(jump));
    await sleep(JUMP_MS);
  }
}

/**
 * Calls with a new key while the clocks move. Returns whether Redis counted the answered calls correctly, and the
 * counts.
 */
async function countCalls(moveClocks: () => Promise<void>) {
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: LIMIT };
  const { apiKey } = await keys.create(owner, 'test', new Date());
  const callers = startCallers(
    apis.map(({ address }) => address),
    apiKey,
  );
  await moveClocks();
  const answers = await callers.stop();
  await Promise.all(clocks.map((file) => writeFile(file, '0')));
  const names = await redis.keys(redisKeys.usage(hashKey(apiKey), '*'));
  const counts = (await Promise.all(names.map((name) => redis.get(name)))).map(Number);
  const counted = counts.reduce((sum, count) => sum + count, 0);
  const good = goodCount(answers);
  // On a busy machine, a call may exceed its deadline for Redis. It then gets a 503 and may still be counted.
  const unavailable = answers.filter(({ status }) => status === 503).length;
  const unexpected =
    unexpectedCount(answers) - answers.filter(({ status }) => status === 429).length;
  const isCounted = good <= counted && counted <= good + unavailable;
  return {
    isFulfilled: unexpected === 0 && isCounted && counts.every((count) => count <= LIMIT),
    counts,
    text: `${good} answered, counted ${counts.join(', ')}, ${unavailable} answered 503, ${unexpected} with another status`,
  };
}
