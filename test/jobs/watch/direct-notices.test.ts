import test from 'ava';
import { pino } from 'pino';
import { createDirectNotices } from '../../../jobs/watch/direct-notices.ts';
import type { Notice } from '../../../jobs/watch/webhook.ts';

const PROBLEM = { key: 'redis', kind: 'redis.unreachable', text: 'no answer' } as const;

test('two outages within five minutes have notices with different ids, equal in every worker', async (t) => {
  let ms = Date.parse('2026-11-23T12:00:00Z');
  const idsOf = async (startMs: number) => {
    const sent: Notice[] = [];
    const notices = createDirectNotices({
      hook: { address: 'a', send: async (notice) => void sent.push(notice) },
      log: pino({ level: 'silent' }),
      now: () => new Date(ms),
    });
    for (const problems of [[PROBLEM], [PROBLEM], [], [PROBLEM], []]) {
      ms = startMs += 20_000;
      notices.report(problems);
      await notices.waitUntilDone();
    }
    t.deepEqual(
      sent.map(({ type }) => type),
      [1, 2].flatMap(() => ['redis.unreachable', 'redis.unreachable.over']),
    );
    return sent.map(({ id }) => id);
  };
  const ids = await idsOf(ms);
  t.is(new Set(ids).size, 4);
  t.deepEqual(await idsOf(ms), ids);
});
