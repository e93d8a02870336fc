import test from 'ava';
import { followNight } from '../../../../jobs/cli/commands/nightly.ts';
import type { CommandContext } from '../../../../jobs/cli/context.ts';
import type { JobSession } from '../../../../jobs/cli/session.ts';
import type { JobRef } from '../../../../jobs/queue/queues.ts';
import { SourceRefusedError } from '../../../../pipelines/errors.ts';
import { IDLE_KEYRING, queueWorld } from '../../helpers/queue-world.ts';

test('a server that is away costs a night its new months alone, and is told', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const steps = {
    findMonths: () => Promise.reject(new SourceRefusedError('http://bts.test', 'answers 403')),
    buildFeatures: async () => ({ rows: {}, checks: [] }),
    isTrainingDue: async () => false,
    publishStore: async () => ({ version: 'of-this-night', months: ['2025-01'], bytes: 1_000 }),
  };
  const away = { kind: 'url', base: 'http://bts.test' } as const;
  const places = { flights: away, weather: away, lockFile: 'none' };
  await work(steps, IDLE_KEYRING, { places });
  const [out, err] = [[] as string[], [] as string[]];
  const stream = (lines: string[]) => ({ write: (text: string) => void lines.push(text) });

  const code = await followNight(
    { out: stream(out), err: stream(err) } as unknown as CommandContext,
    { queues, follow: (ref: JobRef) => follow(ref) } as unknown as JobSession,
  );

  t.is(code, 1);
  t.regex(
    err.join(''),
    /^Months {4}not looked for: .*answers 403; going on with those there are\n$/,
  );
  t.regex(out.join(''), /^Published of-this-night: month 2025-01, 1\.0 kB\n/);
});
