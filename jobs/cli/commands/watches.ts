import type { Redis } from 'ioredis';
import {
  readAttempts,
  readOldestMessage,
  readRetries,
  scanPendingWatches,
  type Retry,
} from '../../../warehouse/live/watch-messages.ts';
import { scanWatches, type Watch } from '../../../warehouse/live/watches.ts';
import { moment, timeUntil } from '../../../warehouse/ground/duration.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import type { CommandContext } from '../context.ts';
import { count, countOf, table } from '../tables.ts';

/** Maximum number of receivers to list; one receiver may have thousands of watches. */
const MAX_RECEIVERS = 50;

type Receiver = {
  host: string;
  waiting: number;
  oldest: string;
  /** Time of the next attempt, in ms since 1970; 0 if a message has had no attempt. */
  nextMs: number;
  reason: string;
};

const HEAD = ['receiver', 'watches', 'waiting since', 'next attempt', 'last failure'];

/** Prints the number of watches, and the receivers that have not accepted their messages. */
export async function watches({ config, out, now }: CommandContext): Promise<number> {
  const session = await openRedis(config, 'watches');
  const redis = await connectOnce(session.url, `headwind-watches-${process.pid}`);
  try {
    const [watchCount, flights, accounts] = [{ n: 0 }, new Set<string>(), new Set<string>()];
    for await (const batch of scanWatches(redis)) {
      watchCount.n += batch.length;
      for (const { account, flight } of batch) {
        accounts.add(account);
        flights.add(JSON.stringify(flight));
      }
    }
    const watchText = watchCount.n === 1 ? '1 watch' : `${count(watchCount.n)} watches`;
    const [owners, targets] = [countOf(accounts.size, 'account'), countOf(flights.size, 'flight')];
    out.write(`${watchText} of ${owners}, on ${targets}\n`);
    const receivers = await readReceivers(redis);
    if (receivers.length === 0) {
      out.write('Every message is delivered.\n');
      return 0;
    }
    const at = now().toISOString();
    const rows = receivers
      .slice(0, MAX_RECEIVERS)
      .map(({ host, waiting, oldest, nextMs, reason }) => {
        const next = timeUntil(new Date(nextMs).toISOString(), at);
        return [host, count(waiting), moment(oldest), next, reason];
      });
    out.write(`${table(HEAD, rows)}\n`);
    const others = receivers.length - rows.length;
    if (others > 0) out.write(`and ${countOf(others, 'more receiver')}\n`);
    return 0;
  } finally {
    redis.disconnect();
    await session.close();
  }
}

/** Returns the receivers with undelivered messages, most watches first. Only the host of an address is shown. */
async function readReceivers(redis: Redis): Promise<Receiver[]> {
  const receivers = new Map<string, Receiver>();
  const seen = new Set<string>();
  const retries = new Map<string, ReadonlyMap<string, Retry>>();
  for await (const batch of scanPendingWatches(redis)) {
    for (const watch of batch) {
      if (seen.has(watch.id)) continue;
      seen.add(watch.id);
      const { account } = watch;
      const ofAccount = retries.get(account) ?? (await readRetries(redis, account));
      retries.set(account, ofAccount);
      await addReceiver(receivers, redis, {
        ...watch,
        nextMs: ofAccount.get(watch.id)?.dueMs ?? 0,
      });
    }
  }
  return [...receivers.values()].toSorted((a, b) => b.waiting - a.waiting);
}

async function addReceiver(
  receivers: Map<string, Receiver>,
  redis: Redis,
  { id, url, nextMs }: Pick<Watch, 'id' | 'url'> & Pick<Receiver, 'nextMs'>,
): Promise<void> {
  const [message, attempts] = await Promise.all([
    readOldestMessage(redis, id),
    readAttempts(redis, id),
  ]);
  if (!message) return;
  const { host } = new URL(url);
  const former = receivers.get(host);
  const reason = attempts.find(({ outcome }) => outcome === 'failed')?.reason ?? '';
  receivers.set(host, {
    host,
    waiting: (former?.waiting ?? 0) + 1,
    oldest: former && former.oldest < message.at ? former.oldest : message.at,
    nextMs: Math.min(former?.nextMs ?? nextMs, nextMs),
    reason: reason === '' ? (former?.reason ?? '') : reason,
  });
}
