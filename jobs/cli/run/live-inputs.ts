import type { NewsReport } from '../../../pipelines/news/types.ts';
import type { WeatherReport } from '../../../pipelines/weather/refresh.ts';
import type { CommandContext } from '../context.ts';
import { requestLive } from '../../queue/requests.ts';
import type { JobSession } from '../session.ts';

/**
 * Requests forecasts, news and airport status now instead of at their next scheduled time, and prints failures once.
 * Scores do not wait for these jobs.
 */
export async function requestLiveInputs(
  context: CommandContext,
  session: JobSession,
): Promise<void> {
  const { config, err } = context;
  if (config.offline) return;
  const { queues, follow, signal } = session;
  try {
    const news = await requestLive(queues, 'refresh-news');
    const weather = await requestLive(queues, 'refresh-weather');
    if (config.nasStatusUrl !== undefined) await requestLive(queues, 'refresh-nas');
    const problems = [
      follow<NewsReport>(news, 'news').then(
        newsProblem,
        (error: unknown) => `News could not be fetched and will be retried (${textOf(error)})`,
      ),
      follow<WeatherReport>(weather, 'weather').then(
        weatherProblem,
        (error: unknown) =>
          `Weather forecasts could not be fetched and will be retried (${textOf(error)}); ` +
          'without forecasts, scores use typical weather',
      ),
    ];
    for (const problem of problems) {
      const text = await problem;
      if (text !== undefined && !signal.aborted) err.write(`${text}\n`);
    }
  } catch (error) {
    if (!signal.aborted) {
      err.write(`News and forecasts could not be requested (${textOf(error)})\n`);
    }
  }
}

function newsProblem({ feeds, failed }: NewsReport): string | undefined {
  const [first] = failed;
  return first && `${failed.length} of ${feeds} news feeds failed; the first: ${first.problem}`;
}

function weatherProblem({ problems }: WeatherReport): string | undefined {
  return problems.length > 0 ? `Weather is incomplete: ${problems.join('; ')}` : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
