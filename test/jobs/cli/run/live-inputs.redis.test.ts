import test, { type ExecutionContext } from 'ava';
import type { CommandContext } from '../../../../jobs/cli/context.ts';
import { firstLiveInputs } from '../../../../jobs/cli/run/live-inputs.ts';
import { jobSession } from '../../../../jobs/cli/session.ts';
import { SourceOutageError } from '../../../../pipelines/errors.ts';
import type { PipelineSteps } from '../../../../pipelines/types.ts';
import { queueWorld } from '../../helpers/queue-world.ts';

const NEWS = { feeds: 2, failed: [], read: 2, relevant: 1, kept: 1 };
const WEATHER = { airports: 2, refreshed: 2, calls: 2, problems: [] };

/** What a start says whose worker refreshes so; the lines of progress left out. */
async function told(t: ExecutionContext, steps: Partial<PipelineSteps>): Promise<string[]> {
  const { queues, work } = await queueWorld(t);
  await work(steps);
  let text = '';
  const err = { write: (more: string) => (text += more) };
  const context = { config: { offline: false }, err } as unknown as CommandContext;
  await firstLiveInputs(context, jobSession(context, queues, AbortSignal.timeout(120_000)));
  return text.split('\n').filter((line) => line !== '' && !/^(news|weather): /.test(line));
}

test('a start whose live inputs come says nothing of them', async (t) => {
  t.deepEqual(
    await told(t, { refreshNews: async () => NEWS, refreshWeather: async () => WEATHER }),
    [],
  );
});

test('what cannot be had is said once; forecasts and news kept from before are not denied', async (t) => {
  const failed = [{ feed: 'wire.example/a', problem: 'wire.example/a: the server answers 500' }];
  t.deepEqual(
    await told(t, {
      refreshNews: async () => ({ ...NEWS, failed }),
      refreshWeather: () => Promise.reject(new SourceOutageError('weather', 'no answer')),
    }),
    [
      '1 of 2 news feeds failed, one with: wire.example/a: the server answers 500',
      'No new weather forecasts for now (weather: no answer): without any, scores use typical weather',
    ],
  );
});
