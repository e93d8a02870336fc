import test, { type ExecutionContext } from 'ava';
import type { CommandContext } from '../../../../jobs/cli/context.ts';
import { requestLiveInputs } from '../../../../jobs/cli/run/live-inputs.ts';
import { jobSession } from '../../../../jobs/cli/session.ts';
import { SourceOutageError } from '../../../../pipelines/errors.ts';
import type { PipelineSteps } from '../../../../pipelines/types.ts';
import { queueWorld } from '../../helpers/queue-world.ts';

const NEWS = { feeds: 2, failed: [], read: 2, relevant: 1, kept: 1 };
const WEATHER = { airports: 2, refreshed: 2, calls: 2, problems: [] };

/** Returns the lines that a start prints with these steps, without progress lines. */
async function printedLines(t: ExecutionContext, steps: Partial<PipelineSteps>): Promise<string[]> {
  const { queues, work } = await queueWorld(t);
  await work(steps);
  let text = '';
  const err = { write: (more: string) => (text += more) };
  const context = { config: { offline: false }, err } as unknown as CommandContext;
  await requestLiveInputs(context, jobSession(context, queues, AbortSignal.timeout(120_000)));
  return text.split('\n').filter((line) => line !== '' && !/^(news|weather): /.test(line));
}

test('a start prints nothing about live inputs that were fetched', async (t) => {
  t.deepEqual(
    await printedLines(t, { refreshNews: async () => NEWS, refreshWeather: async () => WEATHER }),
    [],
  );
});

test('live inputs that cannot be fetched are printed once', async (t) => {
  const failed = [{ feed: 'wire.example/a', problem: 'wire.example/a: the server answers 500' }];
  t.deepEqual(
    await printedLines(t, {
      refreshNews: async () => ({ ...NEWS, failed }),
      refreshWeather: () => Promise.reject(new SourceOutageError('weather', 'no answer')),
    }),
    [
      '1 of 2 news feeds failed; the first: wire.example/a: the server answers 500',
      'Weather forecasts could not be fetched and will be retried (weather: no answer); without forecasts, scores use typical weather',
    ],
  );
});
