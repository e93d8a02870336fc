/**
 * `make fuzz REQUESTS=100000 SEED=1`: sends malformed and hostile requests to a real API and checks that the API never
 * answers 5xx, never hangs, and sends all errors as JSON.
 */
import { Command } from 'commander';
import fc from 'fast-check';
import { countArgument } from '../chaos/options.ts';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { startTrial, type TrialService } from '../trial-service.ts';
import { requestSchemas, routePaths } from './endpoints.ts';
import { exchange } from './exchange.ts';
import { shots, type Shot } from './requests.ts';
import { problemOf, listStatuses } from './verdict.ts';
import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import { FUTURE_DAY, KEYS } from './words.ts';

const LANES = 16;
/** Days from today to the flights of valid requests. */
const DAYS_AHEAD = 30;
/** Number of requests generated at a time. Generating a hundred thousand at once would need too much memory. */
const BATCH = 1_000;
const FAILURES_MAX = 10;
const LIMIT = 10_000_000;
const SHOWN_LENGTH = 1_000;

const program = new Command('fuzz')
  .description('send malformed and hostile requests to every endpoint')
  .option('--requests <count>', 'number of requests', countArgument, 100_000)
  .option('--seed <number>', 'the same seed sends the same requests', countArgument, 1);
const { requests, seed } = program.parse().opts<{ requests: number; seed: number }>();

const service = await startTrial(1);
try {
  process.exitCode = await fuzz(service);
} finally {
  await service.stop();
}

async function fuzz({ ports: [port = 0], keys, untilHealthy, ended, log }: TrialService) {
  const paths = routePaths();
  const all = shots(paths, await requestSchemas());
  const secrets = await makeKeys(keys);
  const line = progressLine('fuzz', process.stderr);
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  let requestCount = 0;

  const send = async (shot: Shot, name: string) => {
    const bytes = withKeys(shot.bytes, secrets);
    let result = await exchange(port, bytes);
    let problem = problemOf(shot, result);
    // On a busy machine, we may have closed the connection before the answer came. The request is therefore sent again
    // with more time.
    if (problem === 'no answer') {
      result = await exchange(port, bytes, true);
      problem = problemOf(shot, result);
    }
    for (const status of listStatuses(result.answer)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if (problem !== undefined) {
      const failure = failureText(name, shot, problem, result.answer);
      failures.push(failure);
      // The failure is printed at once, because the run may be stopped early.
      console.log(failure);
    }
    requestCount += 1;
  };

  for (let from = 0; from < requests && failures.length < FAILURES_MAX; from += BATCH) {
    const numRuns = Math.min(BATCH, requests - from);
    const queue = fc.sample(all, { numRuns, seed: seed * 1_000_003 + from });
    let next = 0;
    const runLane = async () => {
      while (next < queue.length && failures.length < FAILURES_MAX) {
        const at = next++;
        await send(queue[at] as Shot, `request ${from + at} of seed ${seed}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
    line.show({ done: requestCount, total: requests, what: `${failures.length} failures` });
  }
  line.end();
  const endFailures: string[] = [];
  await untilHealthy().catch(() => endFailures.push('the API is no longer healthy'));
  for (const end of ended()) {
    endFailures.push(`the API ended: ${end}\n${log().slice(-SHOWN_LENGTH)}`);
  }
  for (const failure of endFailures) console.log(failure);
  failures.push(...endFailures);
  const counts = [...statuses].toSorted(([a], [b]) => a - b);
  console.log(`answers: ${counts.map(([status, count]) => `${status} × ${count}`).join(', ')}`);
  console.log(
    `${requestCount} requests to ${paths.length} paths: ${failures.length} failures (SEED=${seed})`,
  );
  return failures.length === 0 ? 0 : 1;
}

/** Creates the keys. Returns the text for each placeholder of the requests. */
async function makeKeys(keys: TrialService['keys']): Promise<Record<string, string>> {
  const now = new Date();
  const owner = { name: 'fuzz', email: 'fuzz@headwind.example', monthlyLimit: LIMIT };
  const good = await keys.create(owner, 'test', now);
  const admin = await keys.create(owner, 'live', now, true);
  const inactive = await keys.create(owner, 'test', now);
  await keys.setActive(inactive.prefix, false, now);
  return {
    [KEYS.good]: good.apiKey,
    [KEYS.admin]: admin.apiKey,
    [KEYS.inactive]: inactive.apiKey,
    [FUTURE_DAY]: addDays(dateAt(now), DAYS_AHEAD),
  };
}

function withKeys(bytes: string, secrets: Record<string, string>): string {
  return Object.entries(secrets).reduce(
    (text, [name, secret]) => text.replaceAll(name, secret),
    bytes,
  );
}

function failureText(name: string, shot: Shot, problem: string, answer: string): string {
  const excerpt = (text: string) => JSON.stringify(text.slice(0, SHOWN_LENGTH));
  return `FAILED ${name} (${shot.kind}): ${problem}\n  sent ${excerpt(shot.bytes)}\n  received ${excerpt(answer)}`;
}
