import test from 'ava';
import { followNightlyRun } from '../../../../jobs/cli/commands/nightly.ts';
import type { CommandContext } from '../../../../jobs/cli/context.ts';
import type { JobSession } from '../../../../jobs/cli/session.ts';
import type { JobRef } from '../../../../jobs/queue/queues.ts';
import { readConfig } from '../../../../jobs/config.ts';
import { SourceRefusedError } from '../../../../pipelines/errors.ts';
import { IDLE_KEYRING, queueWorld } from '../../helpers/queue-world.ts';

test('if the server of months refuses, the nightly run publishes the loaded months and returns 1', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const steps = {
    findMonths: () => Promise.reject(new SourceRefusedError('http://bts.test', 'answers 403')),
    buildFeatures: async () => ({ rows: {}, checks: [] }),
    isTrainingDue: async () => false,
    publishStore: async () => ({ version: 'new-version', months: ['2025-01'], bytes: 1_000 }),
  };
  const source = { kind: 'url', base: 'http://bts.test' } as const;
  const monthSources = { flights: source, weather: source, lockFile: 'none' };
  await work(steps, IDLE_KEYRING, { monthSources });
  const [out, err] = [[] as string[], [] as string[]];
  const stream = (lines: string[]) => ({ write: (text: string) => void lines.push(text) });

  const code = await followNightlyRun(
    { config: readConfig({}), out: stream(out), err: stream(err) } as unknown as CommandContext,
    { queues, follow: (ref: JobRef) => follow(ref) } as unknown as JobSession,
  );

  t.is(code, 1);
  t.regex(
    err.join(''),
    /^Months {4}search failed: .*answers 403; continuing with the loaded months\n$/,
  );
  t.regex(out.join(''), /^Published new-version: month 2025-01, 1\.0 kB\n/);
});

test('with OFFLINE=1 no search is requested, so a worker that is online stays offline for this run', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  let searches = 0;
  await work({
    findMonths: async () => {
      searches += 1;
      return { searched: [], out: [], weather: [] };
    },
    buildFeatures: async () => ({ rows: {}, checks: [] }),
    isTrainingDue: async () => false,
    publishStore: async () => ({ version: 'new-version', months: ['2025-01'], bytes: 1_000 }),
  });
  const out: string[] = [];
  const stream = { write: (text: string) => void out.push(text) };
  const code = await followNightlyRun(
    { config: readConfig({ OFFLINE: '1' }), out: stream, err: stream } as unknown as CommandContext,
    { queues, follow: (ref: JobRef) => follow(ref) } as unknown as JobSession,
  );
  t.is(code, 0);
  t.is(searches, 0);
  t.regex(out.join(''), /^Months {4}not searched, as OFFLINE=1 is set\nPublished new-version/);
});
