import type { NewsReport } from '../../../pipelines/news/types.ts';
import type { WeatherReport } from '../../../pipelines/weather/refresh.ts';
import type { CommandContext } from '../context.ts';
import { requestLive } from '../../queue/requests.ts';
import type { JobSession } from '../session.ts';

/**
 * Has forecasts, news and airport status fetched now instead of at the next scheduled time, and says once what cannot be
 * had; scores do not wait for them.
 */
export async function firstLiveInputs(context: CommandContext, session: JobSession): Promise<void> {
  const { config, err } = context;
  if (config.offline) return;
  const { queues, follow, signal } = session;
  try {
    const news = await requestLive(queues, 'refresh-news');
    const weather = await requestLive(queues, 'refresh-weather');
    if (config.nasStatusUrl !== undefined) await requestLive(queues, 'refresh-nas');
    const told = [
      follow<NewsReport>(news, 'news').then(
        newsProblem,
        (error: unknown) => `No new news for now (${textOf(error)})`,
      ),
      follow<WeatherReport>(weather, 'weather').then(
        weatherProblem,
        (error: unknown) =>
          `No new weather forecasts for now (${textOf(error)}): without any, scores use typical weather`,
      ),
    ];
    for (const problem of told) {
      const text = await problem;
      if (text !== undefined && !signal.aborted) err.write(`${text}\n`);
    }
  } catch (error) {
    if (!signal.aborted) err.write(`No news and no forecasts for now (${textOf(error)})\n`);
  }
}

function newsProblem({ feeds, failed }: NewsReport): string | undefined {
  const [first] = failed;
  return first && `${failed.length} of ${feeds} news feeds failed, one with: ${first.problem}`;
}

function weatherProblem({ problems }: WeatherReport): string | undefined {
  return problems.length > 0 ? `Weather is incomplete: ${problems.join('; ')}` : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
