import { once } from 'node:events';
import { connect } from 'node:net';
import { launchRedis, type RunningRedis } from '../../bench/stage/redis-process.ts';
import { lenderSocket } from './run-dir.ts';

export type AtEnd = (stop: () => Promise<void>) => void;

/**
 * Borrows an empty Redis for one test or one file; no other test uses it until the end. It may be flushed. A test that
 * kills, freezes or reconfigures Redis uses `startRedis` instead.
 * For a test: `await borrowRedis((stop) => t.teardown(stop))` (AVA has no teardown in hooks).
 * For a file: `const redis = await borrowRedis((stop) => test.after.always(stop))` at the top level. No other `await`
 * may follow there, because AVA requires hooks and tests to be declared synchronously.
 */
export async function borrowRedis(atEnd: AtEnd): Promise<{ url: string }> {
  const lender = lenderSocket();
  if (lender === undefined) return startRedis(atEnd);
  const loan = connect(lender);
  const [line] = (await once(loan, 'data')) as [Buffer];
  // Last, because at the top level this declares a hook.
  atEnd(async () => void loan.destroy());
  return { url: line.toString().trim() };
}

/** Starts a separate Redis that a test may kill, freeze or reconfigure; `atEnd` gets the function that stops it. */
export async function startRedis(atEnd: AtEnd): Promise<RunningRedis> {
  const redis = await launchRedis();
  atEnd(redis.stop);
  return redis;
}
