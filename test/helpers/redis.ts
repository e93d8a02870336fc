import { once } from 'node:events';
import { connect } from 'node:net';
import { launchRedis, type RunningRedis } from '../../bench/stage/redis-process.ts';
import { lenderSocket } from './run-dir.ts';

export type AtEnd = (stop: () => Promise<void>) => void;

/**
 * An empty Redis for one test or one file, lent by the run: nobody else is on it until the test has ended. It may be
 * flushed; a test that kills, freezes or reconfigures one takes `startRedis`.
 * One for a test: `await borrowRedis((stop) => t.teardown(stop))` (AVA has no teardown in hooks).
 * One for a file: `const redis = await borrowRedis((stop) => test.after.always(stop))` at the top level, and no other
 * `await` there after it, for AVA wants hooks and tests declared in one go.
 */
export async function borrowRedis(atEnd: AtEnd): Promise<{ url: string }> {
  const lender = lenderSocket();
  if (lender === undefined) return startRedis(atEnd);
  const loan = connect(lender);
  const [line] = (await once(loan, 'data')) as [Buffer];
  // Last, as at the top level this declares a hook.
  atEnd(async () => void loan.destroy());
  return { url: line.toString().trim() };
}

/** A Redis of the test's own, to kill, freeze or reconfigure; `atEnd` is given the function that stops it. */
export async function startRedis(atEnd: AtEnd): Promise<RunningRedis> {
  const redis = await launchRedis();
  atEnd(redis.stop);
  return redis;
}
