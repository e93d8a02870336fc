/** `make fuzz REQUESTS=100000 SEED=1`: malformed and hostile requests against a real API; no 5xx, no hang, always JSON. */
import { Command } from 'commander';
import fc from 'fast-check';
import { countArgument } from '../chaos/options.ts';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { startTrial, type TrialService } from '../trial-service.ts';
import { requestSchemas, routePaths } from './endpoints.ts';
import { exchange } from './exchange.ts';
import { shots, type Shot } from './requests.ts';
import { problemOf, statusesIn } from './verdict.ts';
import { KEYS } from './words.ts';

const LANES = 16;
/** Made at a time: a hundred thousand at once would need a lot of memory. */
const BATCH = 1_000;
const FAILURES_MAX = 10;
const LIMIT = 10_000_000;
const SHOWN = 1_000;

const program = new Command('fuzz')
  .description('send malformed and hostile requests to every endpoint')
  .option('--requests <count>', 'how many', countArgument, 100_000)
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
  let sent = 0;

  const fire = async (shot: Shot, name: string) => {
    const bytes = withKeys(shot.bytes, secrets);
    let got = await exchange(port, bytes);
    let problem = problemOf(shot, got);
    // On a busy machine we may have ended the connection before the answer was there.
    if (problem === 'no answer') {
      got = await exchange(port, bytes, true);
      problem = problemOf(shot, got);
    }
    for (const status of statusesIn(got.answer)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if (problem !== undefined) {
      const failure = failureText(name, shot, problem, got.answer);
      failures.push(failure);
      // At once: a run may be stopped before its end.
      console.log(failure);
    }
    sent += 1;
  };

  for (let from = 0; from < requests && failures.length < FAILURES_MAX; from += BATCH) {
    const numRuns = Math.min(BATCH, requests - from);
    const queue = fc.sample(all, { numRuns, seed: seed * 1_000_003 + from });
    let next = 0;
    const lane = async () => {
      while (next < queue.length && failures.length < FAILURES_MAX) {
        const at = next++;
        await fire(queue[at] as Shot, `request ${from + at} of seed ${seed}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    line.show({ done: sent, total: requests, what: `${failures.length} failures` });
  }
  line.end();
  const after: string[] = [];
  await untilHealthy().catch(() => after.push('the API is not healthy any more'));
  for (const end of ended()) after.push(`the API ended: ${end}\n${log().slice(-SHOWN)}`);
  for (const failure of after) console.log(failure);
  failures.push(...after);
  const counts = [...statuses].toSorted(([a], [b]) => a - b);
  console.log(`answers: ${counts.map(([status, count]) => `${status} × ${count}`).join(', ')}`);
  console.log(
    `${sent} requests to ${paths.length} paths: ${failures.length} failures (SEED=${seed})`,
  );
  return failures.length === 0 ? 0 : 1;
}

async function makeKeys(keys: TrialService['keys']): Promise<Record<string, string>> {
  const now = new Date();
  const owner = { name: 'fuzz', email: 'fuzz@headwind.example', monthlyLimit: LIMIT };
  const good = await keys.create(owner, 'test', now);
  const admin = await keys.create(owner, 'live', now, true);
  const inactive = await keys.create(owner, 'test', now);
  await keys.setActive(inactive.prefix, false, now);
  return { [KEYS.good]: good.apiKey, [KEYS.admin]: admin.apiKey, [KEYS.inactive]: inactive.apiKey };
}

function withKeys(bytes: string, secrets: Record<string, string>): string {
  return Object.entries(secrets).reduce(
    (text, [name, secret]) => text.replaceAll(name, secret),
    bytes,
  );
}

function failureText(name: string, shot: Shot, problem: string, answer: string): string {
  const shown = (text: string) => JSON.stringify(text.slice(0, SHOWN));
  return `FAILED ${name} (${shot.kind}): ${problem}\n  sent ${shown(shot.bytes)}\n  got  ${shown(answer)}`;
}
