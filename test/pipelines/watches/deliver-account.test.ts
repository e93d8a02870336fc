import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { DeliveryError } from '../../../pipelines/watches/deliver.ts';
import { deliverAccount, type AccountDeps } from '../../../pipelines/watches/deliver-account.ts';
import type { Retry } from '../../../warehouse/live/watch-messages.ts';

const WAIT_MS = 60_000;

/** An account with watches `0` to `count - 1`, each with a message. `accept` decides whether a delivery succeeds. */
function anAccount(
  count: number,
  accept: (id: string) => boolean,
  { retryAfterMs = 0 }: { retryAfterMs?: number } = {},
) {
  const pending = new Set(Array.from({ length: count }, (_, at) => String(at)));
  const retries = new Map<string, Retry>();
  const stopping = new AbortController();
  const state = { running: 0, most: 0, tried: [] as string[] };
  const deps: AccountDeps = {
    pending: async () => [...pending],
    retries: async () => retries,
    deliver: async (id) => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      state.tried.push(id);
      await sleep(1);
      const isAccepted = accept(id);
      state.running -= 1;
      if (!isAccepted) throw new DeliveryError('refused', retryAfterMs);
      pending.delete(id);
      return { delivered: 1, dropped: 0 };
    },
    saveRetry: async (id, retry) => void retries.set(id, retry),
    waitMs: (attempts) => attempts * WAIT_MS,
    onDelivery: () => undefined,
    signal: stopping.signal,
  };
  return { deps, pending, retries, state, stopping };
}

test('all messages of an account are delivered, 20 at a time, with those that are recorded meanwhile', async (t) => {
  const account = anAccount(100, (id) => {
    if (id === '50') account.pending.add('recorded meanwhile');
    return true;
  });
  t.is(await deliverAccount(account.deps), undefined);
  t.is(account.pending.size, 0);
  t.is(account.state.most, 20);
  t.is(account.state.tried.length, 101);
});

test('a message that is not accepted waits longer after each attempt; the others are delivered', async (t) => {
  const account = anAccount(3, (id) => id !== '1');
  const startMs = Date.now();
  const nextMs = await deliverAccount(account.deps);
  t.deepEqual([...account.pending], ['1']);
  const first = account.retries.get('1')!;
  t.is(first.attempts, 1);
  t.is(nextMs, first.dueMs);
  t.true(first.dueMs >= startMs + WAIT_MS);
  t.is(await deliverAccount(account.deps), first.dueMs, 'the message is not due');
  t.is(account.state.tried.length, 3);
  account.retries.set('1', { attempts: 1, dueMs: Date.now() });
  await deliverAccount(account.deps);
  const second = account.retries.get('1')!;
  t.is(second.attempts, 2);
  t.true(second.dueMs >= startMs + 2 * WAIT_MS);
});

test('after a failure an account has 5 deliveries at a time until the next success', async (t) => {
  const account = anAccount(100, () => account.state.tried.length > 60);
  const mostAfterFailures: number[] = [];
  const { deliver } = account.deps;
  account.deps.deliver = (id) => {
    const before = account.state.tried.length;
    if (before >= 25 && before < 60) mostAfterFailures.push(account.state.running + 1);
    return deliver(id);
  };
  await deliverAccount(account.deps);
  t.is(Math.max(...mostAfterFailures), 5);
  t.true(account.pending.size > 0 && account.pending.size <= 65);
});

test('a receiver is tried after the time that it names, if this is later, but within an hour', async (t) => {
  const waits = [WAIT_MS / 2, 2 * WAIT_MS, 24 * 3_600_000].map(async (retryAfterMs) => {
    const account = anAccount(1, () => false, { retryAfterMs });
    const startMs = Date.now();
    await deliverAccount(account.deps);
    const waitMs = account.retries.get('0')!.dueMs - startMs;
    return Math.floor(waitMs / WAIT_MS);
  });
  t.deepEqual(await Promise.all(waits), [1, 2, 60]);
});

test('a worker that stops begins no further delivery, and the rest is due at once', async (t) => {
  const account = anAccount(100, () => {
    account.stopping.abort();
    return true;
  });
  const nextMs = await deliverAccount(account.deps);
  t.true(nextMs !== undefined && nextMs <= Date.now());
  t.true(account.state.tried.length <= 20, String(account.state.tried.length));
  t.is(account.state.running, 0);
});

test('no delivery runs any more when a job fails because Redis does', async (t) => {
  const account = anAccount(10, (id) => id !== '0');
  account.deps.saveRetry = async () => {
    throw new Error('Redis is unreachable');
  };
  await t.throwsAsync(deliverAccount(account.deps), { message: 'Redis is unreachable' });
  t.is(account.state.running, 0);
  t.deepEqual([...account.pending], ['0']);
});
